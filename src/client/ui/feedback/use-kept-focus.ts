import { type RefObject, useEffect } from "react";

/**
 * Keeps the keyboard within a drawer. Where what had the focus went with what was done, it goes on at the first button
 * of `next`, or where there is none at `head`: the browser would go on behind the drawer.
 */
export function useKeptFocus(head: RefObject<HTMLElement | null>, next?: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const drawer = head.current?.closest("[role=dialog]");
    if (!drawer) return;
    const watcher = new MutationObserver(() => {
      const isOnTop = [...document.querySelectorAll("[role=dialog]")].at(-1) === drawer;
      if (!isOnTop || document.activeElement !== document.body) return;
      (next?.current?.querySelector<HTMLElement>("a, button, select") ?? head.current)?.focus();
    });
    watcher.observe(document.body, { childList: true, subtree: true });
    return () => watcher.disconnect();
  }, [head, next]);
}
