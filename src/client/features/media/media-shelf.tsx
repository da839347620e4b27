import { Button } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { lazy, Suspense, useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { ErrorState } from "#client/ui/error-state.tsx";
import { LazyConfirmDialog } from "#client/ui/lazy-confirm-dialog.tsx";
import { Loading, Skeleton } from "#client/ui/skeleton.tsx";
import { type MediaType, mediaTexts, mediaTypeLabels } from "#shared/media-texts.ts";
import classes from "./gallery.module.css";
import manageClasses from "./manage-media.module.css";
import { type MediaItem, mediaLabel } from "./media-item.ts";
import { MediaTile } from "./media-tile.tsx";

const MediaViewer = lazy(() => import("./media-viewer.tsx"));

type MediaShelfProps = { projectId: number; type: MediaType; mayEdit: boolean; onRemoved: () => void };

/** A project's media of one type, newest first. Each opens in the viewer; who may edit the project removes them. */
export function MediaShelf({ projectId, type, mayEdit, onRemoved }: MediaShelfProps) {
  const query = trpc.media.ofType.useInfiniteQuery(
    { projectId, type },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  );
  const [opened, setOpened] = useState<number | null>(null);
  const [wasOpened, setWasOpened] = useState(false);
  const opener = useRef<HTMLElement>(null);
  const [leaving, setLeaving] = useState<MediaItem | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const list = useRef<HTMLElement>(null);
  const removal = trpc.media.remove.useMutation({
    onSuccess: () => toast.success(mediaTexts.removed),
    onError: (error) => toast.error(mediaTexts.removeFailed, errorText(error)),
    onSettled: () => {
      setIsAsking(false);
      onRemoved();
      // The pressed button goes with its entry.
      list.current?.focus();
    },
  });
  const items = query.isPlaceholderData ? undefined : query.data?.pages.flatMap((page) => page.items);
  if (!items) {
    if (!query.isError) return <ShelfSkeleton />;
    return (
      <ErrorState
        title="The gallery could not be loaded."
        text={errorText(query.error)}
        onRetry={() => void query.refetch()}
        isRetrying={query.isRefetching}
      />
    );
  }
  const name = mediaTypeLabels[type];
  return (
    <section ref={list} tabIndex={-1} aria-label={`${name} in the gallery`}>
      {items.length === 0 && (
        <EmptyState
          picture="/art/empty-gallery.svg"
          title={`No ${type === "youtube" ? "YouTube videos" : name.toLowerCase()} yet`}
          text={mayEdit ? "What you add will stand here." : "What is added will stand here."}
        />
      )}
      <ul className={classes.grid}>
        {items.map((item) => (
          <li key={item.id} className={manageClasses.entry}>
            <MediaTile
              item={item}
              onOpen={(tile) => {
                opener.current = tile;
                setOpened(item.id);
                setWasOpened(true);
              }}
            />
            {mayEdit && (
              <Button
                variant="default"
                size="sm"
                aria-label={`Remove ${mediaLabel(item)}`}
                onClick={() => {
                  setLeaving(item);
                  setIsAsking(true);
                }}
              >
                Remove
              </Button>
            )}
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
            total={Math.max(query.data?.pages.at(-1)?.counts[type] ?? 0, items.length)}
            openedId={opened}
            onNearEnd={() => {
              if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
            }}
            onClose={() => setOpened(null)}
            onClosed={() => opener.current?.focus()}
          />
        </Suspense>
      )}
      <LazyConfirmDialog
        opened={isAsking}
        title="Remove from the gallery"
        confirmLabel="Remove"
        isDangerous
        isPending={removal.isPending}
        onConfirm={() => leaving && removal.mutate({ projectId, mediaId: leaving.id })}
        onClose={() => setIsAsking(false)}
      >
        Are you sure you want to remove "{leaving && mediaLabel(leaving)}"? This action cannot be undone.
      </LazyConfirmDialog>
    </section>
  );
}

function ShelfSkeleton() {
  return (
    <Loading label="Loading gallery">
      <div className={classes.grid}>
        {[1, 2, 3, 4].map((key) => (
          <Skeleton key={key} ratio="4 / 3" radius="var(--mantine-radius-md)" />
        ))}
      </div>
    </Loading>
  );
}
