import { plain } from "./layout.ts";

/** The headings, paragraphs and list items of a sanitised text, as words. */
export const linesOf = (html: string): string[] =>
  html
    .split(/<\/?(?:p|h[2-4]|li|ul|ol|blockquote|hr|br|img)\b[^<>]*>/)
    .map((part) => plain(part).replace(/\s+/g, " "))
    .filter((line) => line !== "");

/** The lines that one text has and the other hasn't, in their order. */
export function changedLines(before: string, after: string): { removed: string[]; added: string[] } {
  const [old, next] = [linesOf(before), linesOf(after)];
  const known = { before: new Set(old), after: new Set(next) };
  return {
    removed: old.filter((line) => !known.after.has(line)),
    added: next.filter((line) => !known.before.has(line)),
  };
}
