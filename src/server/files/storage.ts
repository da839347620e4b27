import { randomBytes } from "node:crypto";

export class FileMissingError extends Error {
  constructor(key: string) {
    super(`no stored file ${key}`);
    this.name = "FileMissingError";
  }
}

/** A random key like "receipt/9f86d0…", never derived from user input. */
export function newFileKey(kind: string): string {
  return `${kind}/${randomBytes(16).toString("hex")}`;
}

/** Folders and a name of safe characters. None begins with a dot, so that no path can climb. */
const keyPattern = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9.-]*)*$/;

export const isStorageKey = (key: string): boolean => keyPattern.test(key);

/** Returns the key, or throws if it isn't a storage key. */
export function checkedKey(key: string): string {
  if (!isStorageKey(key)) throw new Error(`not a storage key: ${JSON.stringify(key)}`);
  return key;
}
