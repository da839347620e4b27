import { useEffect, useRef, useState } from "react";
import { checkFile } from "#client/lib/check-file.ts";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { isCancelled, uploadFile } from "#client/lib/upload.ts";
import { isAltTextLong } from "#shared/media-texts.ts";

export type QueuedPhoto = {
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
export function useUploadQueue(
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
