import "#client/ui/mantine/overlays.css";
import { Modal } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { type TouchEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { Picture } from "#client/ui/media/picture.tsx";
import { VideoPlayer } from "#client/ui/media/video-player.tsx";
import { formatDate } from "#shared/dates.ts";
import { photoSrcSet } from "#shared/photos.ts";
import { LivestreamPlayer } from "./livestreams.tsx";
import { isShown, type MediaItem, mediaLabel, notShownText } from "./media-tile.tsx";
import classes from "./media-viewer.module.css";

type MediaViewerProps = {
  /** Of one page; none while it is on its way. */
  items: MediaItem[];
  /** The place of the page's first entry, counted from 0. */
  first: number;
  /** How many there are on all pages. */
  total: number;
  /** The place of what was chosen; null while the viewer is closed. */
  opened: number | null;
  /** Whoever looks comes near an entry of another page. */
  onNear: (place: number) => void;
  /** An entry of another page is to be shown. */
  onBeyond: (place: number) => void;
  onClose: () => void;
  /** It has gone from the screen: the focus may return. */
  onClosed: () => void;
};

/** The gallery's dialog: one entry at a time, large (specification, section 9: max width 4xl, a fade after 500 ms). */
export default function MediaViewer({ opened, onClose, onClosed, ...shown }: MediaViewerProps) {
  return (
    <Modal
      opened={opened !== null}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      title="Gallery"
      size="56rem"
      padding="sm"
      closeButtonProps={{ "aria-label": "Close", size: 44 }}
    >
      {opened !== null && <Shown key={opened} opened={opened} {...shown} />}
    </Modal>
  );
}

type ShownProps = Omit<MediaViewerProps, "opened" | "onClose" | "onClosed"> & { opened: number };

function Shown({ items, first, total, opened, onNear, onBeyond }: ShownProps) {
  const [place, setPlace] = useState(opened);
  const item = items[place - first];
  const previous = items[place - first - 1];
  const next = items[place - first + 1];
  const step = useEffectEvent((by: 1 | -1) => {
    const wanted = place + by;
    if (wanted < 0 || wanted >= total) return;
    setPlace(wanted);
    if (wanted < first || wanted >= first + items.length) onBeyond(wanted);
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

  useEffect(() => {
    for (const neighbour of [previous, next]) {
      if (neighbour?.type === "photo" && isShown(neighbour)) preloadPhoto(neighbour);
    }
  }, [previous, next]);

  const near = useEffectEvent(onNear);
  const isLast = items.length > 0 && place === first + items.length - 1 && place + 1 < total;
  const isFirst = items.length > 0 && place === first && place > 0;
  useEffect(() => {
    if (isLast) near(place + 1);
    if (isFirst) near(place - 1);
  }, [isLast, isFirst, place]);

  return (
    <div className={classes.content}>
      <div className={classes.stage} {...swipe}>
        {!item ? (
          <Loading label="Loading the gallery">
            <Skeleton ratio="4 / 3" radius="var(--mantine-radius-md)" />
          </Loading>
        ) : !isShown(item) ? (
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
                isWanted={place === opened}
              />
            )}
          </div>
        )}
      </div>
      <div className={classes.bar}>
        <StepButton label="Previous" isOff={place === 0} onStep={() => step(-1)} />
        <div className={classes.words} aria-live="polite" aria-atomic="true">
          <p className={classes.counter}>
            {place + 1} of {total}
          </p>
          {item && (
            <p className={classes.caption}>
              {item.altText && <>{item.altText} </>}
              <time dateTime={item.createdAt.toISOString()}>{formatDate(item.createdAt)}</time>
            </p>
          )}
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

/** As wide as the stage, or as its height allows (media-viewer.module.css: 38rem, on phones 80vw). */
function sizesOf({ width, height }: Pick<MediaItem, "width" | "height">): string {
  const ratio = width && height ? width / height : 2;
  return `(min-width: 56em) ${Math.min(54, 38 * ratio)}rem, (min-width: 36em) 92vw, ${Math.min(92, 80 * ratio)}vw`;
}

/** Fetches a photo before the viewer shows it. */
function preloadPhoto(item: Pick<MediaItem, "url" | "width" | "height">): void {
  const { url } = item;
  const sizes = sizesOf(item);
  const picture = document.createElement("picture");
  const source = document.createElement("source");
  const image = new Image();
  picture.append(source, image);
  Object.assign(source, { type: "image/avif", sizes, srcset: photoSrcSet(url, "avif") ?? "" });
  Object.assign(image, { sizes, srcset: photoSrcSet(url, "webp") ?? "", src: url });
}

/** One photo in the viewer: a grey field until it is there, and a way to try again where it doesn't come. */
function PhotoStage({ item }: { item: MediaItem }) {
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
        src={item.url}
        sizes={sizesOf(item)}
        urgency="eager"
        alt={mediaLabel(item)}
        width={item.width ?? undefined}
        height={item.height ?? undefined}
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
