import { fileRules, uploadTexts } from "#shared/files.ts";

/**
 * What is wrong with a chosen receipt, as far as the browser can tell; null if nothing is. Saves a wait only: the server
 * looks into the file.
 */
export function checkReceipt(file: Pick<File, "type" | "size">): string | null {
  const { types, maxBytes, texts } = fileRules.receipt;
  if (!types.includes(file.type)) return texts.type;
  if (file.size === 0) return uploadTexts.empty;
  return file.size > maxBytes ? texts.size : null;
}
