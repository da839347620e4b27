import { Modal } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { VideoPlayer } from "#client/ui/video-player.tsx";
import { formatDate } from "#shared/dates.ts";
import { LivestreamPlayer } from "./livestreams.tsx";
import { isShown, type MediaItem, mediaLabel, notShownText } from "./media-item.ts";
import classes from "./media-viewer.module.css";
import { PhotoStage, preloadPhoto } from "./photo-stage.tsx";
import { useSwipe } from "./use-swipe.ts";

type MediaViewerProps = {
  items: MediaItem[];
  /** How many there are, also those that are not loaded yet. */
  total: number;
  /** What was chosen; null while the viewer is closed. */
  openedId: number | null;
  /** The last loaded entries are reached. */
  onNearEnd: () => void;
  onClose: () => void;
  /** It has gone from the screen: the focus may return. */
  onClosed: () => void;
};

/** The gallery's dialog: one entry at a time, large (specification, section 9: max width 4xl, a fade after 500 ms). */
export default function MediaViewer({ openedId, onClose, onClosed, ...shown }: MediaViewerProps) {
  return (
    <Modal
      opened={openedId !== null}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      title="Gallery"
      size="56rem"
      padding="sm"
      closeButtonProps={{ "aria-label": "Close", size: 44 }}
    >
      {openedId !== null && <Shown key={openedId} openedId={openedId} {...shown} />}
    </Modal>
  );
}

type ShownProps = Pick<MediaViewerProps, "items" | "total" | "onNearEnd"> & { openedId: number };

function Shown({ items, total, openedId, onNearEnd }: ShownProps) {
  const [shownId, setShownId] = useState(openedId);
  const index = Math.max(
    items.findIndex(({ id }) => id === shownId),
    0,
  );
  const item = items[index];
  const previous = items[index - 1];
  const next = items[index + 1];
  const show = (neighbour: MediaItem | undefined) => neighbour && setShownId(neighbour.id);
  const swipe = useSwipe({ onLeft: () => show(next), onRight: () => show(previous) });

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // In a video the arrows move within the video.
      if (event.target instanceof HTMLVideoElement || event.altKey || event.ctrlKey || event.metaKey) return;
      const neighbour = { ArrowLeft: previous, ArrowRight: next }[event.key];
      if (neighbour) setShownId(neighbour.id);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [previous, next]);

  useEffect(() => {
    for (const neighbour of [previous, next]) {
      if (neighbour?.type === "photo" && isShown(neighbour)) preloadPhoto(neighbour);
    }
  }, [previous, next]);

  const isNearEnd = index >= items.length - 2;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once when the end comes near, not on each render.
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  }, [isNearEnd, items.length]);

  if (!item) return null;
  return (
    <div className={classes.content}>
      <div className={classes.stage} {...swipe}>
        {!isShown(item) ? (
          <p className={classes.notShown}>{notShownText}</p>
        ) : item.type === "photo" ? (
          <PhotoStage key={item.id} item={item} />
        ) : (
          <div className={classes.video}>
            {item.stream ? (
              <LivestreamPlayer key={item.id} entry={{ id: item.id, stream: item.stream }} label={mediaLabel(item)} />
            ) : (
              <VideoPlayer
                key={item.id}
                url={item.url}
                poster={item.posterUrl ?? undefined}
                label={mediaLabel(item)}
                isWanted={item.id === openedId}
              />
            )}
          </div>
        )}
      </div>
      <div className={classes.bar}>
        <StepButton label="Previous" isOff={!previous} onStep={() => show(previous)} />
        <div className={classes.words} aria-live="polite" aria-atomic="true">
          <p className={classes.counter}>
            {index + 1} of {total}
          </p>
          <p className={classes.caption}>
            {item.altText && <>{item.altText} </>}
            <time dateTime={item.createdAt.toISOString()}>{formatDate(item.createdAt)}</time>
          </p>
        </div>
        <StepButton label="Next" isOff={!next} onStep={() => show(next)} />
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
