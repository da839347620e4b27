const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes a text for HTML, between tags or inside a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/**
 * Free text as one line, for headers, headings and our own sentences. Marks that change the direction of the text after
 * them are removed; right-to-left letters don't need them.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/**
 * Returns true if the database can store every text of a call's input: no column can hold a NUL, and no JSON column
 * half a surrogate pair. No keyboard produces either, so such a call is refused before anything else looks at it.
 */
export function isStorable(input: unknown): boolean {
  // A stack instead of recursion, because not every caller limits the depth as requests do.
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

/**
 * A whole number of hundredths (2 digits: kobo as naira) or thousandths (3: quantities) with a point and no thousands,
 * "1250000.50", as other programs read numbers. Nothing goes through floating point.
 */
export function decimalText(value: bigint, digits: 2 | 3): string {
  const absolute = (value < 0n ? -value : value).toString().padStart(digits + 1, "0");
  return `${value < 0n ? "-" : ""}${absolute.slice(0, -digits)}.${absolute.slice(-digits)}`;
}
