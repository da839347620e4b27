import { createStore, del, delMany, get, keys, set } from "idb-keyval";

/** A photo of a draft. Its file has a row of its own in the store, so that typing doesn't write megabytes. */
export type DraftPhoto = {
  /** Names the photo to the server, which keeps it once however often it is sent. */
  key: string;
  isUploaded: boolean;
};

/** A report as it waits on the phone until the server has answered. */
export type Draft = {
  /** The code of its report: an earlier round's report of the same number had another one. */
  code: string;
  /** One key for all attempts at sending this content. */
  idempotencyKey: string;
  figures: Record<string, string>;
  content: string;
  farmNote: string;
  photos: DraftPhoto[];
  /** The person has pressed *Send*. */
  isSending: boolean;
  /** The person has answered the questions about its figures. */
  isConfirmed: boolean;
  /** It went out and no answer came: the server may have it. */
  isUncertain: boolean;
};

export const emptyDraft = (code: string): Draft => ({
  code,
  idempotencyKey: crypto.randomUUID(),
  figures: {},
  content: "",
  farmNote: "",
  photos: [],
  isSending: false,
  isConfirmed: false,
  isUncertain: false,
});

export type DraftStore = {
  /** The draft as it was kept; null where there is none. */
  read(): Promise<Draft | null>;
  /** False where the browser keeps nothing. */
  keep(draft: Draft): Promise<boolean>;
  keepPhoto(key: string, file: File): Promise<boolean>;
  readPhoto(key: string): Promise<File | null>;
  removePhoto(key: string): Promise<void>;
  /** Removes the draft with its photos. */
  remove(draft: Draft): Promise<void>;
  /** Removes what is left of the project's other reports, which can't be sent any more. */
  removeOthers(): Promise<void>;
};

/**
 * The drafts of one report, in the browser's IndexedDB. A browser that has none (some do in private windows), or is
 * full, holds them in this page's memory.
 */
export function openDrafts(projectId: number, number: number): DraftStore {
  const name = `${projectId}-${number}`;
  const memory = new Map<string, unknown>();
  const photoName = (key: string) => `${name}/photo/${key}`;
  const open = () => createStore("reports", "drafts");
  let store: ReturnType<typeof open> | undefined;
  const stored = () => {
    store ??= open();
    return store;
  };

  const read = async <Value>(key: string): Promise<Value | null> => {
    const kept = await get<Value>(key, stored()).catch(() => undefined);
    return kept ?? (memory.get(key) as Value | undefined) ?? null;
  };
  const keep = async (key: string, value: unknown): Promise<boolean> => {
    memory.set(key, value);
    return set(key, value, stored()).then(
      () => memory.delete(key),
      () => false,
    );
  };

  return {
    read: () => read<Draft>(name),
    keep: (draft) => keep(name, draft),
    keepPhoto: (key, file) => keep(photoName(key), file),
    readPhoto: (key) => read<File>(photoName(key)),
    async removePhoto(key) {
      memory.delete(photoName(key));
      await del(photoName(key), stored()).catch(() => {});
    },
    async removeOthers() {
      const kept = await keys<string>(stored()).catch(() => []);
      const others = kept.filter(
        (key) => key.startsWith(`${projectId}-`) && key !== name && !key.startsWith(`${name}/`),
      );
      await delMany(others, stored()).catch(() => {});
    },
    async remove({ photos }) {
      memory.clear();
      await delMany([name, ...photos.map(({ key }) => photoName(key))], stored()).catch(() => {});
    },
  };
}
