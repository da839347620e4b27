import { IconAntenna, IconBrandYoutube, IconPhotoOff, IconPlayerPlayFilled } from "@tabler/icons-react";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { MissingPicture, Picture, useMissing } from "#client/ui/media/picture.tsx";
import { formatDate } from "#shared/dates.ts";
import { embedProviderNames } from "#shared/embeds.ts";
import classes from "./gallery.module.css";

type MediaTileProps = { item: MediaItem; onOpen: (opener: HTMLElement) => void };

/** A picture that opens the viewer. For YouTube entries it is ours: YouTube is asked for nothing before a click. */
export function MediaTile({ item, onOpen }: MediaTileProps) {
  return (
    <figure className={classes.item}>
      <button
        type="button"
        className={classes.tile}
        aria-label={nameOf(item)}
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => onOpen(currentTarget)}
      >
        <Thumbnail item={item} />
        {item.type !== "photo" && isShown(item) && (
          <span className={classes.play}>
            <IconPlayerPlayFilled size={22} aria-hidden="true" />
          </span>
        )}
      </button>
      <figcaption>
        {item.altText && <span className={classes.caption}>{item.altText}</span>}
        <time dateTime={item.createdAt.toISOString()}>{formatDate(item.createdAt)}</time>
      </figcaption>
    </figure>
  );
}

/** Holds what is written on the tile, for those who speak to the page. */
function nameOf(item: MediaItem): string {
  const name = `${mediaKind(item)}: ${mediaLabel(item)}`;
  if (!isShown(item)) return `${name}, ${notShownText}`;
  return item.stream ? `${name}, ${streamName(item.stream)}` : name;
}

function Thumbnail({ item }: { item: MediaItem }) {
  const picture = item.type === "photo" ? item.url : item.posterUrl;
  const { isMissing, onError } = useMissing(picture ?? item.url);
  if (isMissing) return <MissingPicture />;
  if (!isShown(item)) {
    return (
      <span className={classes.youtube}>
        <IconPhotoOff size={22} stroke={1.75} aria-hidden="true" />
        {notShownText}
      </span>
    );
  }
  if (picture) {
    return (
      <Picture
        src={picture}
        sizes="(min-width: 36em) 16rem, calc(50vw - 1.5rem)"
        alt=""
        // Of the tile, which the picture fills.
        width={800}
        height={600}
        onError={onError}
      />
    );
  }
  if (item.type === "youtube") {
    return (
      <span className={classes.youtube}>
        <IconBrandYoutube size={22} stroke={1.75} aria-hidden="true" />
        YouTube
      </span>
    );
  }
  if (item.stream) {
    return (
      <span className={classes.youtube}>
        <IconAntenna size={22} stroke={1.75} aria-hidden="true" />
        {streamName(item.stream)}
      </span>
    );
  }
  // The fragment makes browsers show a frame instead of black.
  return <video src={`${item.url}#t=0.1`} preload="metadata" muted playsInline tabIndex={-1} onError={onError} />;
}

/** Where a livestream comes from. */
function streamName(stream: Livestream): string {
  if (stream.kind === "hls") return "Plays in the page";
  return stream.kind === "link" ? new URL(stream.href).hostname : embedProviderNames[stream.kind];
}

type Livestream = RouterOutputs["media"]["livestreams"]["items"][number]["stream"];

/** A livestream, which only administrators find in a gallery, comes with how it is shown. */
export type MediaItem = RouterOutputs["media"]["gallery"]["items"][number] & { stream?: Livestream | null };

const kinds = { photo: "Photo", video: "Video", youtube: "YouTube video", livestream: "Livestream" } as const;

/** Written where a row's address is none that a page of ours may show. */
export const notShownText = "This address can't be shown";

export const isShown = ({ url, stream }: Pick<MediaItem, "url" | "stream">): boolean => url !== "" || !!stream;

/** Returns the item's kind in words: "Photo", "YouTube video". */
function mediaKind({ type }: Pick<MediaItem, "type">): string {
  return kinds[type];
}

/** Returns the item's description, or its kind and day if it has none. */
export function mediaLabel(item: Pick<MediaItem, "type" | "altText" | "createdAt">): string {
  return item.altText || `${mediaKind(item)} of ${formatDate(item.createdAt)}`;
}
