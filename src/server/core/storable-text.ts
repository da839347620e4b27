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
