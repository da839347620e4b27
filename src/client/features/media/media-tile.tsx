import { IconBrandYoutube, IconPlayerPlayFilled } from "@tabler/icons-react";
import { formatDate } from "#shared/dates.ts";
import { photoSrcSet } from "#shared/photos.ts";
import classes from "./gallery.module.css";
import { type MediaItem, mediaKind, mediaLabel } from "./media-item.ts";

type MediaTileProps = { item: MediaItem; onOpen: (opener: HTMLElement) => void };

/** A picture that opens the viewer. For YouTube entries it is ours: YouTube is asked for nothing before a click. */
export function MediaTile({ item, onOpen }: MediaTileProps) {
  return (
    <figure className={classes.item}>
      <button
        type="button"
        className={classes.tile}
        aria-label={`${mediaKind(item)}: ${mediaLabel(item)}`}
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => onOpen(currentTarget)}
      >
        <Thumbnail item={item} />
        {item.type !== "photo" && (
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

function Thumbnail({ item }: { item: MediaItem }) {
  if (item.type === "photo") {
    return (
      <img
        src={item.url}
        srcSet={photoSrcSet(item.url)}
        sizes="(min-width: 36em) 16rem, 45vw"
        alt=""
        width={item.width ?? 800}
        height={item.height ?? 600}
        loading="lazy"
        decoding="async"
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
  // The fragment makes browsers show a frame instead of black.
  return <video src={`${item.url}#t=0.1`} preload="metadata" muted playsInline tabIndex={-1} />;
}
