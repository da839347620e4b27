import { fileRules, uploadTexts } from "#shared/files.ts";

/**
 * What is wrong with a chosen resume, as far as the browser can tell; null if nothing is. Saves a wait only: the server
 * looks into the file. Not every system knows the types of Word documents, so a name will do.
 */
export function checkResume({ name, type, size }: Pick<File, "name" | "type" | "size">): string | null {
  const { types, maxBytes, texts } = fileRules.resume;
  if (!types.includes(type) && !(type === "" && /\.(pdf|docx?)$/i.test(name))) return texts.type;
  if (size === 0) return uploadTexts.empty;
  return size > maxBytes ? texts.size : null;
}
