import "#client/ui/mantine/overlays.css";
import { Modal } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, type TouchEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { Picture } from "./picture.tsx";
import classes from "./viewer.module.css";

type ViewerDialogProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** It has gone from the screen: the focus may return. */
  onClosed: () => void;
  children: ReactNode;
};

/** The dialog of a viewer: one entry at a time, large (specification, section 9: max width 4xl, a fade after 500 ms). */
export function ViewerDialog({ title, isOpen, onClose, onClosed, children }: ViewerDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      title={title}
      size="56rem"
      padding="sm"
      closeButtonProps={{ "aria-label": "Close", size: 44 }}
    >
      {children}
    </Modal>
  );
}

type ViewerContentProps = {
  /** The place of the shown entry, counted from 0. */
  place: number;
  total: number;
  onPlace: (place: number) => void;
  caption: ReactNode;
  /** The entry. */
  children: ReactNode;
};

/** An entry with the way to the one before and after it: by buttons, arrow keys and swipes. */
export function ViewerContent({ place, total, onPlace, caption, children }: ViewerContentProps) {
  const step = useEffectEvent((by: 1 | -1) => {
    const wanted = place + by;
    if (wanted >= 0 && wanted < total) onPlace(wanted);
  });
  const swipe = useSwipe({ onLeft: () => step(1), onRight: () => step(-1) });

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // In a video the arrows move within the video.
      if (event.target instanceof HTMLVideoElement || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "ArrowLeft") step(-1);
      else if (event.key === "ArrowRight") step(1);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);

  return (
    <div className={classes.content}>
      <div className={classes.stage} {...swipe}>
        {children}
      </div>
      <div className={classes.bar}>
        <StepButton label="Previous" isOff={place === 0} onStep={() => step(-1)} />
        <div className={classes.words} aria-live="polite" aria-atomic="true">
          <p className={classes.counter}>
            {place + 1} of {total}
          </p>
          {caption && <p className={classes.caption}>{caption}</p>}
        </div>
        <StepButton label="Next" isOff={place + 1 >= total} onStep={() => step(1)} />
      </div>
    </div>
  );
}

/** At an end it stays where the focus is, and does nothing. */
function StepButton({ label, isOff, onStep }: { label: "Previous" | "Next"; isOff: boolean; onStep: () => void }) {
  const Icon = label === "Next" ? IconChevronRight : IconChevronLeft;
  return (
    <button type="button" className={classes.step} aria-label={label} aria-disabled={isOff} onClick={onStep}>
      <Icon size={24} aria-hidden="true" />
    </button>
  );
}

export type ViewedPhoto = {
  url: string;
  /** Its alternative text. */
  label: string;
  width?: number | null;
  height?: number | null;
};

/** As wide as the stage, or as its height allows (viewer.module.css: 38rem, on phones 80vw). */
export function sizesOf({ width, height }: Pick<ViewedPhoto, "width" | "height">): string {
  const ratio = width && height ? width / height : 2;
  return `(min-width: 56em) ${Math.min(54, 38 * ratio)}rem, (min-width: 36em) 92vw, ${Math.min(92, 80 * ratio)}vw`;
}

/** One photo in a viewer: a grey field until it is there, and a way to try again where it doesn't come. */
export function ViewerPhoto({ url, label, width, height }: ViewedPhoto) {
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading");
  if (state === "failed") {
    return (
      <ErrorState
        title="This photo could not be loaded."
        text="Please check your internet connection."
        onRetry={() => setState("loading")}
      />
    );
  }
  return (
    <>
      <Picture
        className={classes.photo}
        data-loading={state === "loading" || undefined}
        src={url}
        sizes={sizesOf({ width, height })}
        urgency="eager"
        alt={label}
        width={width ?? undefined}
        height={height ?? undefined}
        onLoad={() => setState("shown")}
        onError={() => setState("failed")}
      />
      {state === "loading" && (
        <div className={classes.loading}>
          <Loading label="Loading photo">
            <Skeleton height="100%" />
          </Loading>
        </div>
      )}
    </>
  );
}

const leastDistance = 50;

/**
 * Handlers for a swipe with one finger, sideways. Two fingers, and any finger on an enlarged page, are the browser's:
 * they zoom and move the picture.
 */
function useSwipe({ onLeft, onRight }: { onLeft: () => void; onRight: () => void }) {
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
