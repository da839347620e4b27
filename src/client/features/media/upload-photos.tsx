import "#client/ui/mantine/fields.css";
import { ActionIcon, Button } from "@mantine/core";
import { IconUpload, IconX } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { formatBytes, formatCount } from "#client/lib/format.ts";
import { toast } from "#client/lib/toast.ts";
import { checkFile, isCancelled, uploadFile } from "#client/lib/upload.ts";
import { ProgressMeter } from "#client/ui/feedback/progress-meter.tsx";
import { FilesDrop } from "#client/ui/forms/file-drop.tsx";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { fileRules } from "#shared/files.ts";
import { isAltTextLong, mediaLimits, mediaTexts } from "#shared/projects/media-texts.ts";
import { AltTextField } from "./alt-text-field.tsx";
import classes from "./manage-media.module.css";

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

type QueuedPhotoRowProps = {
  photo: QueuedPhoto;
  onDescribe: (altText: string) => void;
  onRetry: () => void;
  onRemove: () => void;
};

/** One photo of the list: its picture, how far it is, and what went wrong. */
function QueuedPhotoRow({ photo, onDescribe, onRetry, onRemove }: QueuedPhotoRowProps) {
  const { file, state, fault, canRetry, altText } = photo;
  const percent = Math.round(photo.share * 100);
  return (
    <li className={classes.row} data-failed={state === "failed" || undefined}>
      <Preview file={file} />
      <div className={classes.rowWords}>
        <span className={classes.fileName}>{file.name}</span>
        {state === "chosen" && <AltTextField size="sm" value={altText} onChange={onDescribe} />}
        {state === "waiting" && <span className={classes.note}>Waiting</span>}
        {state === "sending" && (
          <>
            <span className={classes.note}>{percent < 100 ? `Uploading, ${percent}%` : "Preparing the photo…"}</span>
            <ProgressMeter percent={percent} label={`Upload of ${file.name}`} size="sm" />
          </>
        )}
        {state === "failed" && (
          <span className={classes.fault} role="alert">
            {fault}
          </span>
        )}
        {state === "failed" && canRetry && (
          <Button className={classes.retry} variant="default" size="sm" onClick={onRetry}>
            Try again
          </Button>
        )}
        {state === "chosen" && <span className={classes.note}>{formatBytes(file.size)}</span>}
      </div>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={
          state === "sending" || state === "waiting" ? `Cancel the upload of ${file.name}` : `Remove ${file.name}`
        }
        onClick={onRemove}
      >
        <IconX size={18} />
      </ActionIcon>
    </li>
  );
}

function Preview({ file }: { file: File }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file.type.startsWith("image/")) return;
    const url = URL.createObjectURL(file);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return (
    <span className={classes.preview}>
      {address && <img src={address} alt="" onError={({ currentTarget }) => currentTarget.remove()} />}
    </span>
  );
}

type QueuedPhoto = {
  id: number;
  file: File;
  /** What it shows, as the person wrote it. */
  altText: string;
  state: "chosen" | "waiting" | "sending" | "failed";
  /** Of the bytes, 0 to 1. */
  share: number;
  fault: string | null;
  /** The same file may go another time; one that isn't fit never will. */
  canRetry: boolean;
};

type Outcome = { sent: number; failed: number };

/** So many photos are on their way at once: a weak signal is shared by few. */
const atOnce = 2;
let lastId = 0;

const isBusy = ({ state }: QueuedPhoto) => state === "waiting" || state === "sending";

/**
 * Photos from choosing to the gallery, one request each. One that fails stays in the list with its reason, and doesn't
 * keep the others; `onEnd` is told when none is left to send.
 */
function useUploadQueue(
  projectId: number,
  { onSent, onEnd }: { onSent: () => void; onEnd: (outcome: Outcome) => void },
) {
  const [photos, setPhotos] = useState<QueuedPhoto[]>([]);
  const running = useRef(new Map<number, AbortController>());
  const outcome = useRef<Outcome>({ sent: 0, failed: 0 });
  useEffect(
    () => () => {
      for (const controller of running.current.values()) controller.abort();
    },
    [],
  );

  const change = (id: number, changed: Partial<QueuedPhoto>) =>
    setPhotos((list) => list.map((photo) => (photo.id === id ? { ...photo, ...changed } : photo)));
  const drop = (id: number) => setPhotos((list) => list.filter((photo) => photo.id !== id));

  const send = async ({ id, file, altText }: QueuedPhoto) => {
    const controller = new AbortController();
    running.current.set(id, controller);
    change(id, { state: "sending", share: 0, fault: null });
    try {
      await uploadFile(
        "/uploads/project-photos",
        file,
        { projectId: String(projectId), altText },
        { signal: controller.signal, onProgress: (share) => change(id, { share }) },
      );
      outcome.current.sent += 1;
      drop(id);
      onSent();
    } catch (error) {
      if (isCancelled(error)) return drop(id);
      outcome.current.failed += 1;
      change(id, { state: "failed", fault: errorText(error), canRetry: errorReason(error) !== "invalid" });
    } finally {
      running.current.delete(id);
    }
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is next follows from the list alone.
  useEffect(() => {
    const sending = photos.filter(({ state }) => state === "sending").length;
    const next = photos.find(({ state }) => state === "waiting");
    if (next && sending < atOnce && !running.current.has(next.id)) void send(next);
    const { sent, failed } = outcome.current;
    if (!photos.some(isBusy) && sent + failed > 0) {
      outcome.current = { sent: 0, failed: 0 };
      onEnd({ sent, failed });
    }
  }, [photos]);

  return {
    photos,
    isSending: photos.some(isBusy),
    add: (files: File[]) =>
      setPhotos((list) => [
        ...list,
        ...files.map((file): QueuedPhoto => {
          lastId += 1;
          const fault = checkFile("photo", file);
          const state = fault ? "failed" : "chosen";
          return { id: lastId, file, altText: "", state, share: 0, fault, canRetry: false };
        }),
      ]),
    describe: (id: number, altText: string) => change(id, { altText }),
    /** Begins with all that were chosen, but for those whose description says that it is too long. */
    start: () =>
      setPhotos((list) =>
        list.map((photo) =>
          photo.state === "chosen" && !isAltTextLong(photo.altText) ? { ...photo, state: "waiting" } : photo,
        ),
      ),
    retry: (id: number) => change(id, { state: "waiting", fault: null }),
    /** Stops one, or takes it off the list. */
    remove: (id: number) => {
      const controller = running.current.get(id);
      if (controller) controller.abort();
      else drop(id);
    },
  };
}
