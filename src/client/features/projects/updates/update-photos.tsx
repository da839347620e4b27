import "#client/ui/mantine/fields.css";
import { ActionIcon } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconX } from "@tabler/icons-react";
import { useLayoutEffect, useRef, useState } from "react";
import { AltTextField } from "#client/features/projects/media/alt-text-field.tsx";
import { isRecord } from "#client/lib/errors.ts";
import { formatCount } from "#client/lib/format.ts";
import { toast } from "#client/lib/toast.ts";
import { uploadFile } from "#client/lib/upload.ts";
import { type QueuedPhoto, usePhotoQueue } from "#client/shared-parts/photo-queue.ts";
import { PhotoRow, PhotoRows } from "#client/shared-parts/photo-row.tsx";
import { FilesDrop } from "#client/ui/forms/file-drop.tsx";
import { fileRules } from "#shared/files.ts";
import { isAltTextLong, mediaTexts } from "#shared/projects/media-texts.ts";
import { updateLimits, updateTexts } from "#shared/projects/updates-texts.ts";
import classes from "./updates.module.css";

type Photos = ReturnType<typeof useUpdatePhotos>;

/** The photos of an update that is being written. Each is sent as soon as it is chosen. */
export function useUpdatePhotos(draft: string) {
  const queue = usePhotoQueue({
    begins: "waiting",
    initial: () => readPhotos(draft),
    send: async (file, { key }, options) => {
      const { url } = await uploadFile("/uploads/update-photos", file, { photoKey: key }, options);
      return String(url);
    },
  });
  return {
    ...queue,
    /**
     * The server doesn't keep a photo any more: those whose file is here are sent again, if that `mayHelp`. Otherwise
     * gives false, and those without a file are to be chosen anew.
     */
    resend: (mayHelp: boolean): boolean => {
      const isSentAgain = mayHelp && queue.photos.some(({ file }) => file);
      queue.arrange((list) =>
        list.map((photo): QueuedPhoto => {
          if (isSentAgain) return photo.file ? { ...photo, state: "waiting" } : photo;
          return photo.file ? photo : { ...photo, state: "failed", fault: updateTexts.photoForgotten, canRetry: false };
        }),
      );
      return isSentAgain;
    },
  };
}

/** Returns the reason why an update can't go with these photos, or null. */
export function photosFault(photos: readonly QueuedPhoto[]): string | null {
  if (photos.some(({ state }) => state === "failed")) return updateTexts.photoFailed;
  return photos.some(({ altText }) => isAltTextLong(altText)) ? mediaTexts.altTextLong : null;
}

/** The photos that the server has, for the form's draft: "" for none. */
export function writePhotos(photos: readonly QueuedPhoto[]): string {
  const sent = photos.filter(({ state }) => state === "sent");
  return sent.length === 0
    ? ""
    : JSON.stringify(sent.map(({ key, name, altText, url }) => ({ key, name, altText, url })));
}

function readPhotos(draft: string): QueuedPhoto[] {
  const kept: unknown = draft === "" ? [] : JSON.parse(draft);
  if (!Array.isArray(kept)) return [];
  const texts = kept.filter(isRecord).map(({ key, name, altText, url }) => ({ key, name, altText, url }));
  return texts.map((photo) => ({
    key: String(photo.key),
    name: String(photo.name),
    altText: String(photo.altText),
    url: String(photo.url),
    file: null,
    state: "sent",
    share: 1,
    fault: null,
    canRetry: false,
  }));
}

type PhotosFieldProps = {
  queue: Photos;
  /** Nothing is added or described; a photo that is on its way can still be stopped. */
  isReadOnly: boolean;
  isOff: boolean;
  fault: string | null;
};

/** Chooses the photos of an update, and shows each with what it shows and its place. */
export function PhotosField({ queue, isReadOnly, isOff, fault }: PhotosFieldProps) {
  const { photos, left } = queue;
  const { list, said, move } = useMoving(queue);
  const room = updateLimits.photos - photos.length;
  const add = (files: File[]) => {
    if (files.length > room) toast.error(updateTexts.photosMany);
    queue.add(files.slice(0, room));
  };
  return (
    <div className={classes.photosField} ref={list}>
      <FilesDrop
        label="Photos (optional)"
        hint={hintOf(photos.length)}
        accept={fileRules.photo.accept}
        onAdd={add}
        disabled={isReadOnly || room === 0}
      />
      {photos.length > 0 && (
        <PhotoRows label="Photos of the update">
          {photos.map((photo, at) => (
            <PhotoRow
              key={photo.key}
              photo={photo}
              heading={`Photo ${at + 1} of ${photos.length}`}
              onRetry={() => queue.retry(photo.key)}
              buttons={
                <>
                  {photos.length > 1 && (
                    <>
                      <MoveButton to="up" at={at} isEnd={at === 0} isOff={isReadOnly} onMove={() => move(at, at - 1)} />
                      <MoveButton
                        to="down"
                        at={at}
                        isEnd={at === photos.length - 1}
                        isOff={isReadOnly}
                        onMove={() => move(at, at + 1)}
                      />
                    </>
                  )}
                  <ActionIcon
                    variant="default"
                    size={44}
                    aria-label={`Remove photo ${at + 1}`}
                    disabled={isOff}
                    onClick={() => queue.remove(photo.key)}
                  >
                    <IconX size={18} aria-hidden="true" />
                  </ActionIcon>
                </>
              }
            >
              <AltTextField
                label="What the photo shows (optional)"
                size="sm"
                readOnly={isReadOnly}
                value={photo.altText}
                onChange={(altText) => queue.describe(photo.key, altText)}
              />
            </PhotoRow>
          ))}
        </PhotoRows>
      )}
      {fault && (
        <p className={classes.fault} role="alert">
          {fault}
        </p>
      )}
      <p className="visually-hidden" role="status">
        {left > 0 && `${formatCount(left, "photo")} left to upload`}
      </p>
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </div>
  );
}

function hintOf(count: number): string {
  const { photos: most } = updateLimits;
  if (count === most) return `${count} of ${most} photos. Remove one to add another.`;
  const rule = "JPEG, PNG or WebP, up to 10 MB each";
  return count === 0 ? `Up to ${most} photos. ${rule}` : `${count} of ${most} photos. ${rule}`;
}

type MoveButtonProps = { to: "up" | "down"; at: number; isEnd: boolean; isOff: boolean; onMove: () => void };

/** At an end it stays where the focus is, and does nothing. */
function MoveButton({ to, at, isEnd, isOff, onMove }: MoveButtonProps) {
  const Icon = to === "up" ? IconArrowUp : IconArrowDown;
  return (
    <ActionIcon
      variant="default"
      size={44}
      data-move={to}
      aria-label={`Move photo ${at + 1} ${to}`}
      aria-disabled={isEnd}
      data-disabled={isEnd || undefined}
      disabled={isOff}
      onClick={() => isEnd || onMove()}
    >
      <Icon size={18} aria-hidden="true" />
    </ActionIcon>
  );
}

/** Moves photos in their list. The focus stays at the button of the photo that moved. */
function useMoving({ photos, arrange }: Photos) {
  const list = useRef<HTMLDivElement>(null);
  const moved = useRef<string | null>(null);
  const [said, setSaid] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows have moved once the list is another one.
  useLayoutEffect(() => {
    if (moved.current) list.current?.querySelector<HTMLElement>(moved.current)?.focus();
    moved.current = null;
  }, [photos]);
  const move = (from: number, to: number) => {
    const photo = photos[from];
    if (!photo) return;
    moved.current = `[data-photo="${photo.key}"] [data-move="${to < from ? "up" : "down"}"]`;
    arrange((all) => all.with(from, all[to] ?? photo).with(to, photo));
    setSaid(`Photo ${from + 1} is now photo ${to + 1}`);
  };
  return { list, said, move };
}
