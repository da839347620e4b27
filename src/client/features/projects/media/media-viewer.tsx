import { useEffect, useEffectEvent, useState } from "react";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { VideoPlayer } from "#client/ui/media/video-player.tsx";
import { sizesOf, ViewerContent, ViewerDialog, ViewerPhoto } from "#client/ui/media/viewer.tsx";
import { formatDate } from "#shared/dates.ts";
import { photoSrcSet } from "#shared/photos.ts";
import { LivestreamPlayer } from "./livestreams.tsx";
import { isShown, type MediaItem, mediaLabel, notShownText } from "./media-tile.tsx";
import classes from "./media-viewer.module.css";

type MediaViewerProps = {
  /** The items of one page; none while it is on its way. */
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
    <ViewerDialog title="Gallery" isOpen={opened !== null} onClose={onClose} onClosed={onClosed}>
      {opened !== null && <Shown key={opened} opened={opened} {...shown} />}
    </ViewerDialog>
  );
}

type ShownProps = Omit<MediaViewerProps, "opened" | "onClose" | "onClosed"> & { opened: number };

function Shown({ items, first, total, opened, onNear, onBeyond }: ShownProps) {
  const [place, setPlace] = useState(opened);
  const item = items[place - first];
  const previous = items[place - first - 1];
  const next = items[place - first + 1];
  const go = (wanted: number) => {
    setPlace(wanted);
    if (wanted < first || wanted >= first + items.length) onBeyond(wanted);
  };

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
    <ViewerContent
      place={place}
      total={total}
      onPlace={go}
      caption={
        item && (
          <>
            {item.altText && <>{item.altText} </>}
            <time dateTime={item.createdAt.toISOString()}>{formatDate(item.createdAt)}</time>
          </>
        )
      }
    >
      {!item ? (
        <Loading label="Loading the gallery">
          <Skeleton ratio="4 / 3" radius="var(--mantine-radius-md)" />
        </Loading>
      ) : !isShown(item) ? (
        <p className={classes.notShown}>{notShownText}</p>
      ) : item.type === "photo" ? (
        <ViewerPhoto key={item.id} {...item} label={mediaLabel(item)} />
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
    </ViewerContent>
  );
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
