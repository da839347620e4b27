import { type TouchEvent, useRef } from "react";

const leastDistance = 50;

/**
 * Handlers for a swipe with one finger, sideways. Two fingers, and any finger on an enlarged page, are the browser's:
 * they zoom and move the picture.
 */
export function useSwipe({ onLeft, onRight }: { onLeft: () => void; onRight: () => void }) {
  const start = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart({ touches }: TouchEvent) {
      const touch = touches[0];
      const isZoomed = (window.visualViewport?.scale ?? 1) > 1.01;
      start.current = touch && touches.length === 1 && !isZoomed ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchEnd({ changedTouches }: TouchEvent) {
      const touch = changedTouches[0];
      const from = start.current;
      start.current = null;
      if (!touch || !from) return;
      const x = touch.clientX - from.x;
      const y = touch.clientY - from.y;
      if (Math.abs(x) < leastDistance || Math.abs(x) < 1.5 * Math.abs(y)) return;
      if (x < 0) onLeft();
      else onRight();
    },
  };
}
