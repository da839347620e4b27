/** A joiner within an emoji (a family, a flag) is part of it, and stays; marks that can't be seen go. */
const unseen =
  /(\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*\u200d)(?=\p{Extended_Pictographic})|[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;

/** Removes what phones and word processors put into a text unseen: direction marks, soft hyphens, empty spaces, joiners. */
const dropUnseen = (text: string): string => text.replace(unseen, (_, emoji: string | undefined) => emoji ?? "");

/** Cleans a short text: nothing unseen, no-break spaces and tabs as spaces, no-break hyphens as hyphens, trimmed. */
const cleanPasted = (text: string): string =>
  dropUnseen(text)
    .replace(/[\u00a0\u202f\t]/g, " ")
    .replaceAll("\u2011", "-")
    .trim();

/** The same with letters and their marks composed (NFC). Not for addresses: it turns a Kelvin sign into K. */
export const cleanText = (text: string): string => cleanPasted(text).normalize("NFC");

/**
 * Cleans text of several lines for storing: line ends become \n, other control characters and what is unseen are removed,
 * and it is trimmed.
 */
export function cleanLines(text: string): string {
  return dropUnseen(text)
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .trim();
}
