import { keepPreviousData } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { TabBar } from "#client/ui/layout/tab-bar.tsx";
import { type MediaType, mediaTypeLabels, mediaTypes } from "#shared/media-texts.ts";
import { AddLivestream, AddYoutube } from "./add-address.tsx";
import classes from "./manage-media.module.css";
import { MediaShelf } from "./media-shelf.tsx";
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
