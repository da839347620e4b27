import { Button } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { formatCount } from "#client/lib/format.ts";
import { toast } from "#client/lib/toast.ts";
import { FilesDrop } from "#client/ui/forms/files-drop.tsx";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { fileRules } from "#shared/files.ts";
import { mediaLimits, mediaTexts } from "#shared/media-texts.ts";
import classes from "./manage-media.module.css";
import { QueuedPhotoRow } from "./queued-photo-row.tsx";
import { useUploadQueue } from "./use-upload-queue.ts";

/** Several photos at once; each has its own progress and its own fate. */
export function UploadPhotos({ projectId, onAdded }: { projectId: number; onAdded: () => void }) {
  const queue = useUploadQueue(projectId, {
    onSent: onAdded,
    onEnd: ({ sent, failed }) => {
      if (failed === 0) return toast.success(mediaTexts.photosAdded);
      const rest = sent === 0 ? "" : ` ${formatCount(sent, "photo was", "photos were")} uploaded.`;
      toast.error(mediaTexts.photosFailed, `The list says why.${rest}`);
    },
  });
  const { photos, isSending } = queue;
  const chosen = photos.filter(({ state }) => state === "chosen").length;
  const left = photos.filter(({ state }) => state === "waiting" || state === "sending").length;
  const add = (files: File[]) => {
    const room = mediaLimits.photosAtOnce - photos.length;
    if (files.length > room) toast.error(`At most ${mediaLimits.photosAtOnce} photos can be chosen at once`);
    queue.add(files.slice(0, Math.max(room, 0)));
  };
  return (
    <section className={classes.card} aria-labelledby="photos-heading">
      <h2 id="photos-heading" className={classes.cardTitle}>
        Upload photos
      </h2>
      <FilesDrop
        label="Photos"
        hint="JPEG, PNG or WebP, up to 10 MB each"
        accept={fileRules.photo.accept}
        onAdd={add}
      />
      {photos.length > 0 && (
        <ul className={classes.rows} aria-label="Chosen photos">
          {photos.map((photo) => (
            <QueuedPhotoRow
              key={photo.id}
              photo={photo}
              onDescribe={(altText) => queue.describe(photo.id, altText)}
              onRetry={() => queue.retry(photo.id)}
              onRemove={() => queue.remove(photo.id)}
            />
          ))}
        </ul>
      )}
      <p className="visually-hidden" role="status">
        {isSending && `${formatCount(left, "photo")} left to upload`}
      </p>
      {(chosen > 0 || isSending) && (
        <Button
          className={classes.submit}
          loading={isSending && chosen === 0}
          leftSection={<IconUpload size={18} aria-hidden="true" />}
          onClick={queue.start}
        >
          {chosen > 0 ? `Upload ${formatCount(chosen, "photo")}` : "Uploading"}
        </Button>
      )}
      <LeaveGuard isActive={isSending} title="Photos are still being uploaded">
        {formatCount(left, "photo")} won't be added to the gallery if you leave now.
      </LeaveGuard>
    </section>
  );
}
