import { useState } from "react";
import { ErrorState } from "#client/ui/error-state.tsx";
import { Loading, Skeleton } from "#client/ui/skeleton.tsx";
import { photoSrcSet } from "#shared/photos.ts";
import { type MediaItem, mediaLabel } from "./media-item.ts";
import classes from "./media-viewer.module.css";

const sizes = "(min-width: 56em) 54rem, 92vw";

/** Fetches a photo before the viewer shows it. */
export function preloadPhoto({ url }: Pick<MediaItem, "url">): void {
  Object.assign(new Image(), { sizes, srcset: photoSrcSet(url) ?? "", src: url });
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
      <img
        className={classes.photo}
        data-loading={state === "loading" || undefined}
        src={item.url}
        srcSet={photoSrcSet(item.url)}
        sizes={sizes}
        alt={mediaLabel(item)}
        width={item.width ?? undefined}
        height={item.height ?? undefined}
        decoding="async"
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
