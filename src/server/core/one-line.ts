/**
 * Free text as one line, for headers, headings and sentences of ours: without the marks that turn the direction of what
 * stands behind them. Letters that are written from right to left need none of these.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
