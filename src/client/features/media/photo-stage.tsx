import { useState } from "react";
import { ErrorState } from "#client/ui/feedback/error-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { Picture } from "#client/ui/media/picture.tsx";
import { photoSrcSet } from "#shared/photos.ts";
import { type MediaItem, mediaLabel } from "./media-item.ts";
import classes from "./media-viewer.module.css";

/** As wide as the stage, or as its height allows (media-viewer.module.css: 38rem, on phones 80vw). */
function sizesOf({ width, height }: Pick<MediaItem, "width" | "height">): string {
  const ratio = width && height ? width / height : 2;
  return `(min-width: 56em) ${Math.min(54, 38 * ratio)}rem, (min-width: 36em) 92vw, ${Math.min(92, 80 * ratio)}vw`;
}

/** Fetches a photo before the viewer shows it. */
export function preloadPhoto(item: Pick<MediaItem, "url" | "width" | "height">): void {
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
export function PhotoStage({ item }: { item: MediaItem }) {
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
        urgency="early"
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
