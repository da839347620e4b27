import { useEffect, useRef, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { checkFile, isCancelled } from "#client/lib/upload.ts";
import type { FileKind } from "#shared/files.ts";

export type QueuedPhoto = {
  /** Names the photo here, and to a server that keeps what comes under it once. */
  key: string;
  /** Null where only the server has it: the page was loaded anew. */
  file: File | null;
  name: string;
  /** The photo's description, as the person wrote it. */
  altText: string;
  state: "chosen" | "waiting" | "sending" | "sent" | "failed";
  /** The sent share of the bytes, 0 to 1. */
  share: number;
  fault: string | null;
  /** The same file may go another time; one that isn't fit never will. */
  canRetry: boolean;
  /** Where the server shows it, once it was sent. */
  url: string | null;
};

/** How many of those that were sent since the last pause arrived. */
type Outcome = { sent: number; failed: number };

type QueueOptions = {
  /** Sends one photo. Gives its address, or null if it leaves the list. */
  send: (file: File, photo: QueuedPhoto, options: SendOptions) => Promise<string | null>;
  /** Called when none is left to send. */
  onEnd?: (outcome: Outcome) => void;
  /** "chosen": photos wait until somebody starts them. */
  begins: "chosen" | "waiting";
  /** The accepted kind of file: photos, unless another is named. */
  kind?: FileKind;
  initial?: () => QueuedPhoto[];
};
type SendOptions = { signal: AbortSignal; onProgress: (share: number) => void };

/** So many photos are on their way at once: a weak signal is shared by few. */
const atOnce = 2;

const isBusy = ({ state }: QueuedPhoto) => state === "waiting" || state === "sending";

/**
 * Photos from choosing to the server's answer, one request each. One that fails stays in the list with its reason, and
 * doesn't keep the others.
 */
export function usePhotoQueue({ send, onEnd, begins, kind = "photo", initial = () => [] }: QueueOptions) {
  const [photos, setPhotos] = useState(initial);
  const running = useRef(new Map<string, AbortController>());
  const outcome = useRef<Outcome>({ sent: 0, failed: 0 });
  useEffect(
    () => () => {
      for (const controller of running.current.values()) controller.abort();
    },
    [],
  );

  const change = (key: string, changed: Partial<QueuedPhoto>) =>
    setPhotos((list) => list.map((photo) => (photo.key === key ? { ...photo, ...changed } : photo)));
  const drop = (key: string) => setPhotos((list) => list.filter((photo) => photo.key !== key));

  const sendOne = async (file: File, photo: QueuedPhoto) => {
    const { key } = photo;
    const controller = new AbortController();
    running.current.set(key, controller);
    change(key, { state: "sending", share: 0, fault: null });
    try {
      const onProgress = (share: number) => change(key, { share });
      const url = await send(file, photo, { signal: controller.signal, onProgress });
      outcome.current.sent += 1;
      if (url === null) drop(key);
      else change(key, { state: "sent", url });
    } catch (error) {
      if (isCancelled(error)) return drop(key);
      outcome.current.failed += 1;
      change(key, { state: "failed", fault: errorText(error), canRetry: errorReason(error) !== "invalid" });
    } finally {
      running.current.delete(key);
    }
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is next follows from the list alone.
  useEffect(() => {
    const sending = photos.filter(({ state }) => state === "sending").length;
    const next = photos.find(({ state }) => state === "waiting");
    if (next?.file && sending < atOnce && !running.current.has(next.key)) void sendOne(next.file, next);
    const { sent, failed } = outcome.current;
    if (!photos.some(isBusy) && sent + failed > 0) {
      outcome.current = { sent: 0, failed: 0 };
      onEnd?.({ sent, failed });
    }
  }, [photos]);

  return {
    photos,
    isSending: photos.some(isBusy),
    /** How many are still to arrive. */
    left: photos.filter(isBusy).length,
    add: (files: File[]) =>
      setPhotos((list) => [
        ...list,
        ...files.map((file): QueuedPhoto => {
          const fault = checkFile(kind, file);
          const key = crypto.randomUUID();
          const rest = { altText: "", share: 0, canRetry: false, url: null };
          return { key, file, name: file.name, state: fault ? "failed" : begins, fault, ...rest };
        }),
      ]),
    /** Changes the list as a whole, such as its order. */
    arrange: setPhotos,
    describe: (key: string, altText: string) => change(key, { altText }),
    retry: (key: string) => change(key, { state: "waiting", fault: null }),
    /** Stops one, or takes it off the list. */
    remove: (key: string) => {
      const controller = running.current.get(key);
      if (controller) controller.abort();
      else drop(key);
    },
  };
}
