import { type FileKind, fileRules, uploadTexts } from "#shared/files.ts";

/**
 * What is wrong with a chosen file, as far as the browser can tell; null if nothing is. Saves a wait only: the server
 * looks into the file.
 */
export function checkFile(kind: FileKind, { type, size }: Pick<File, "type" | "size">): string | null {
  const { types, maxBytes, texts } = fileRules[kind];
  if (!types.includes(type)) return texts.type;
  if (size === 0) return uploadTexts.empty;
  return size > maxBytes ? texts.size : null;
}
