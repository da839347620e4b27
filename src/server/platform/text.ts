const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text as it may stand in HTML, between tags or inside a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

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

/**
 * Whether the database can hold every text in a call's input: no column holds a NUL, and no JSON column half of a
 * surrogate pair. No keyboard makes either, so a call with one is refused before anything looks at it.
 */
export function isStorable(input: unknown): boolean {
  // A list instead of recursion: not every caller bounds the depth as requests are bounded.
  const rest: unknown[] = [input];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === "string" && !isStorableText(value)) return false;
    if (typeof value !== "object" || value === null) continue;
    for (const part of Object.values(value)) rest.push(part);
  }
  return true;
}

const isStorableText = (text: string): boolean => !text.includes("\0") && text.isWellFormed();
