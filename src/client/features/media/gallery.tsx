import { Button } from "@mantine/core";
import { lazy, Suspense, useRef, useState } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { ErrorState } from "#client/ui/error-state.tsx";
import { Loading, Skeleton } from "#client/ui/skeleton.tsx";
import { mediaTexts } from "#shared/media-texts.ts";
import classes from "./gallery.module.css";
import { MediaTile } from "./media-tile.tsx";

const MediaViewer = lazy(() => import("./media-viewer.tsx"));

/** A project's photos and videos, newest first. Each opens in the viewer, whose code is fetched when it first does. */
export function Gallery({ projectId }: { projectId: number }) {
  const query = trpc.media.gallery.useInfiniteQuery({ projectId }, { getNextPageParam: (page) => page.nextCursor });
  const [opened, setOpened] = useState<number | null>(null);
  const [wasOpened, setWasOpened] = useState(false);
  const opener = useRef<HTMLElement>(null);
  const items = query.data?.pages.flatMap((page) => page.items);
  if (!items) {
    if (!query.isError) return <GallerySkeleton />;
    return (
      <ErrorState
        title="The gallery could not be loaded."
        onRetry={() => void query.refetch()}
        isRetrying={query.isRefetching}
      />
    );
  }
  if (items.length === 0) {
    return (
      <EmptyState
        picture="/art/empty-gallery.svg"
        title={mediaTexts.galleryEmpty}
        text="Photos and videos from the farm will stand here."
      />
    );
  }
  return (
    <>
      <ul className={classes.grid}>
        {items.map((item) => (
          <li key={item.id}>
            <MediaTile
              item={item}
              onOpen={(tile) => {
                opener.current = tile;
                setOpened(item.id);
                setWasOpened(true);
              }}
            />
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <div className={classes.more}>
          {query.isFetchNextPageError && <p role="alert">{mediaTexts.galleryMoreFailed}</p>}
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
      {wasOpened && (
        <Suspense>
          <MediaViewer
            items={items}
            total={Math.max(query.data?.pages.at(-1)?.total ?? 0, items.length)}
            openedId={opened}
            onNearEnd={() => {
              if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
            }}
            onClose={() => setOpened(null)}
            onClosed={() => opener.current?.focus()}
          />
        </Suspense>
      )}
    </>
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
