import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/feedback/empty-state.tsx";
import { ErrorState } from "#client/ui/feedback/error-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { mediaTexts } from "#shared/media-texts.ts";
import classes from "./gallery.module.css";
import { MediaPages } from "./media-pages.tsx";

/** A project's photos and videos, newest first, five a page. */
export function Gallery({ projectId }: { projectId: number }) {
  const [page, setPage] = useState(1);
  const utils = trpc.useUtils();
  const query = trpc.media.gallery.useQuery({ projectId, page }, { placeholderData: keepPreviousData });
  if (!query.data) {
    if (!query.isError) return <GallerySkeleton />;
    return (
      <ErrorState
        title="The gallery could not be loaded."
        onRetry={() => void query.refetch()}
        isRetrying={query.isRefetching}
      />
    );
  }
  if (query.data.total === 0) {
    return (
      <EmptyState
        picture="/art/empty-gallery.svg"
        title={mediaTexts.galleryEmpty}
        text="Photos and videos from the farm will stand here."
      />
    );
  }
  return (
    <MediaPages
      label="Gallery"
      page={page}
      onPage={setPage}
      items={query.data.items}
      isStale={query.isPlaceholderData}
      total={query.data.total}
      onNear={(near) => void utils.media.gallery.prefetch({ projectId, page: near })}
    />
  );
}

function GallerySkeleton() {
  return (
    <Loading label="Loading gallery">
      <div className={classes.grid}>
        {[1, 2, 3, 4].map((key) => (
          <div key={key} className={classes.item}>
            <Skeleton ratio="4 / 3" radius="var(--mantine-radius-md)" />
            <div className={classes.more}>
              <Skeleton height="1.25rem" />
            </div>
          </div>
        ))}
      </div>
    </Loading>
  );
}
