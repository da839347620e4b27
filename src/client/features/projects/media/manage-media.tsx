import { Button } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { TabBar } from "#client/ui/layout/tab-bar.tsx";
import { type MediaType, mediaTexts, mediaTypeLabels, mediaTypes } from "#shared/projects/media-texts.ts";
import { AddLivestream, AddYoutube } from "./add-address.tsx";
import galleryClasses from "./gallery.module.css";
import { MediaPages } from "./gallery.tsx";
import classes from "./manage-media.module.css";
import { type MediaItem, mediaLabel } from "./media-tile.tsx";
import { UploadPhotos } from "./upload-photos.tsx";
import { UploadVideo } from "./upload-video.tsx";

/** A project's media for its administrators: what is there by type, and for who may edit it the forms to add. */
export default function ManageMedia({ projectId, mayEdit }: { projectId: number; mayEdit: boolean }) {
  const [{ type, page }, setShown] = useState<{ type: MediaType; page: number }>({ type: "photo", page: 1 });
  const utils = trpc.useUtils();
  const counted = trpc.media.ofType.useQuery(
    { projectId, type, page },
    { staleTime: 0, placeholderData: keepPreviousData },
  );
  const counts = counted.data?.counts;
  const setPage = useCallback((next: number) => setShown((shown) => ({ ...shown, page: next })), []);
  const refresh = () => {
    void utils.media.ofType.invalidate({ projectId });
    void utils.media.gallery.invalidate({ projectId });
    void utils.media.livestreams.invalidate({ projectId });
  };
  const added = (shown: MediaType) => () => {
    setShown({ type: shown, page: 1 });
    refresh();
  };
  return (
    <div className={classes.sections}>
      {mayEdit && (
        <div className={classes.forms}>
          <UploadPhotos projectId={projectId} onAdded={added("photo")} />
          <UploadVideo projectId={projectId} onAdded={added("video")} />
          <AddYoutube projectId={projectId} onAdded={added("youtube")} />
          <AddLivestream projectId={projectId} onAdded={added("livestream")} />
        </div>
      )}
      <section aria-labelledby="shelf-heading">
        <h2 id="shelf-heading" className={classes.heading}>
          Gallery
        </h2>
        <TabBar
          label="Gallery"
          value={type}
          onChange={(next) => setShown({ type: next, page: 1 })}
          tabs={mediaTypes.map((id) => ({
            id,
            label: counts ? `${mediaTypeLabels[id]} (${counts[id]})` : mediaTypeLabels[id],
            panel: () => (
              <MediaShelf
                key={id}
                projectId={projectId}
                type={id}
                page={page}
                onPage={setPage}
                mayEdit={mayEdit}
                onRemoved={refresh}
              />
            ),
          }))}
        />
      </section>
    </div>
  );
}

type MediaShelfProps = {
  projectId: number;
  type: MediaType;
  page: number;
  onPage: (page: number) => void;
  mayEdit: boolean;
  onRemoved: () => void;
};

/** A project's media of one type, newest first, five a page. Who may edit the project removes them. */
function MediaShelf({ projectId, type, page, onPage, mayEdit, onRemoved }: MediaShelfProps) {
  const utils = trpc.useUtils();
  const query = trpc.media.ofType.useQuery(
    { projectId, type, page },
    { placeholderData: keepPreviousData, staleTime: 0 },
  );
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
  if (!query.data) {
    if (!query.isError) return <ShelfSkeleton />;
    return <LoadFailed query={query} title="The gallery could not be loaded." />;
  }
  const name = mediaTypeLabels[type];
  const { items, counts } = query.data;
  return (
    <section ref={list} tabIndex={-1} aria-label={`${name} in the gallery`}>
      {counts[type] === 0 && (
        <EmptyState
          picture="/art/empty-gallery.svg"
          title={`No ${type === "youtube" ? "YouTube videos" : name.toLowerCase()} yet`}
          text={mayEdit ? "What you add will appear here." : "What is added will appear here."}
        />
      )}
      <MediaPages
        label={name}
        page={page}
        onPage={onPage}
        items={items}
        isStale={query.isPlaceholderData}
        total={counts[type]}
        onNear={(near) => void utils.media.ofType.prefetch({ projectId, type, page: near })}
        entryClass={classes.entry}
        below={(item) =>
          mayEdit && (
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
          )
        }
      />
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
      <div className={galleryClasses.grid}>
        {[1, 2, 3, 4].map((key) => (
          <Skeleton key={key} ratio="4 / 3" radius="var(--mantine-radius-md)" />
        ))}
      </div>
    </Loading>
  );
}
