import "#client/ui/mantine/fields.css";
import { ActionIcon, Button } from "@mantine/core";
import { IconUpload, IconX } from "@tabler/icons-react";
import { formatBytes, formatCount } from "#client/lib/format.ts";
import { toast } from "#client/lib/toast.ts";
import { uploadFile } from "#client/lib/upload.ts";
import { usePhotoQueue } from "#client/shared-parts/photo-queue.ts";
import { PhotoRow, PhotoRows } from "#client/shared-parts/photo-row.tsx";
import { FilesDrop } from "#client/ui/forms/file-drop.tsx";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { fileRules } from "#shared/files.ts";
import { isAltTextLong, mediaLimits, mediaTexts } from "#shared/projects/media-texts.ts";
import { AltTextField } from "./alt-text-field.tsx";
import classes from "./manage-media.module.css";

/** Several photos at once; each has its own progress and its own fate. */
export function UploadPhotos({ projectId, onAdded }: { projectId: number; onAdded: () => void }) {
  const queue = usePhotoQueue({
    begins: "chosen",
    send: async (file, { altText }, options) => {
      await uploadFile("/uploads/project-photos", file, { projectId: String(projectId), altText }, options);
      onAdded();
      return null;
    },
    onEnd: ({ sent, failed }) => {
      if (failed === 0) return toast.success(mediaTexts.photosAdded);
      const rest = sent === 0 ? "" : ` ${formatCount(sent, "photo was", "photos were")} uploaded.`;
      toast.error(mediaTexts.photosFailed, `The list says why.${rest}`);
    },
  });
  const { photos, isSending, left } = queue;
  const chosen = photos.filter(({ state }) => state === "chosen").length;
  const add = (files: File[]) => {
    const room = mediaLimits.photosAtOnce - photos.length;
    if (files.length > room) toast.error(`At most ${mediaLimits.photosAtOnce} photos can be chosen at once`);
    queue.add(files.slice(0, Math.max(room, 0)));
  };
  /** Begins with all that were chosen, but for those whose description says that it is too long. */
  const start = () =>
    queue.arrange((list) =>
      list.map((photo) =>
        photo.state === "chosen" && !isAltTextLong(photo.altText) ? { ...photo, state: "waiting" } : photo,
      ),
    );
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
        <PhotoRows label="Chosen photos">
          {photos.map((photo) => (
            <PhotoRow
              key={photo.key}
              photo={photo}
              onRetry={() => queue.retry(photo.key)}
              buttons={
                <ActionIcon
                  variant="default"
                  size="lg"
                  aria-label={
                    photo.state === "sending" || photo.state === "waiting"
                      ? `Cancel the upload of ${photo.name}`
                      : `Remove ${photo.name}`
                  }
                  onClick={() => queue.remove(photo.key)}
                >
                  <IconX size={18} />
                </ActionIcon>
              }
            >
              {photo.state === "chosen" && photo.file && (
                <>
                  <AltTextField
                    size="sm"
                    value={photo.altText}
                    onChange={(altText) => queue.describe(photo.key, altText)}
                  />
                  <span className={classes.note}>{formatBytes(photo.file.size)}</span>
                </>
              )}
            </PhotoRow>
          ))}
        </PhotoRows>
      )}
      <p className="visually-hidden" role="status">
        {isSending && `${formatCount(left, "photo")} left to upload`}
      </p>
      {(chosen > 0 || isSending) && (
        <Button
          className={classes.submit}
          loading={isSending && chosen === 0}
          leftSection={<IconUpload size={18} aria-hidden="true" />}
          onClick={start}
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
