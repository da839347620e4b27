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
  return {
    removed: old.filter((line) => !next.includes(line)),
    added: next.filter((line) => !old.includes(line)),
  };
}
