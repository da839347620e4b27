import { keepPreviousData } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import { EmptyState, ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { Pagination } from "#client/ui/lists/pagination.tsx";
import { mediaTexts } from "#shared/projects/media-texts.ts";
import { projectLimits } from "#shared/projects/texts.ts";
import classes from "./gallery.module.css";
import { type MediaItem, MediaTile } from "./media-tile.tsx";

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
        text="Photos and videos from the farm will appear here."
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

const MediaViewer = lazyDialog(() => import("./media-viewer.tsx"));
const pageSize = projectLimits.contentPageSize;

type MediaPagesProps = {
  /** The accessible name of the pagination: "Photos". */
  label: string;
  page: number;
  onPage: (page: number) => void;
  /** The items of the page; of the one before while it is on its way. */
  items: MediaItem[];
  isStale: boolean;
  total: number;
  /** The viewer comes near the end of a page. */
  onNear: (page: number) => void;
  entryClass?: string | undefined;
  /** The content under an entry's picture. */
  below?: (item: MediaItem) => ReactNode;
};

/** A page of media. Each opens in the viewer, whose code is fetched when it first does, and which goes on over the pages. */
export function MediaPages(props: MediaPagesProps) {
  const { label, page, onPage, items, isStale, total, onNear, entryClass, below } = props;
  const [opened, setOpened] = useState<number | null>(null);
  const [wasOpened, setWasOpened] = useState(false);
  const opener = useRef<HTMLElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const pageCount = Math.ceil(total / pageSize);
  // What was removed may have been the last of the last page.
  const isBeyond = !isStale && page > Math.max(pageCount, 1);
  useEffect(() => {
    if (isBeyond) onPage(Math.max(pageCount, 1));
  }, [isBeyond, pageCount, onPage]);
  const first = (page - 1) * pageSize;
  return (
    <>
      <div ref={top} className={classes.top} tabIndex={-1} aria-busy={isStale}>
        <ul className={classes.grid}>
          {items.map((item, index) => (
            <li key={item.id} className={entryClass}>
              <MediaTile
                item={item}
                onOpen={(tile) => {
                  opener.current = tile;
                  setOpened(first + index);
                  setWasOpened(true);
                }}
              />
              {below?.(item)}
            </li>
          ))}
        </ul>
      </div>
      <Pagination
        label={label}
        page={page}
        pageCount={pageCount}
        onChange={(next) => {
          onPage(next);
          top.current?.scrollIntoView({ block: "start" });
        }}
      />
      {wasOpened && (
        <Suspense>
          <MediaViewer
            items={isStale ? [] : items}
            first={first}
            total={total}
            opened={opened}
            onNear={(index) => onNear(Math.floor(index / pageSize) + 1)}
            onBeyond={(index) => onPage(Math.floor(index / pageSize) + 1)}
            onClose={() => setOpened(null)}
            // The entry that was opened may stand on another page than the one the viewer went to.
            onClosed={() => (opener.current?.isConnected ? opener.current : top.current)?.focus()}
          />
        </Suspense>
      )}
    </>
  );
}
