/**
 * Whether the database can hold every text in a call's input: no column holds a NUL, and no JSON column half of a
 * surrogate pair. No keyboard makes either, so a call with one is refused before anything looks at it.
 */
export function isStorable(input: unknown): boolean {
  // A list instead of recursion, and each object once: what superjson reads may be deep, and may hold itself.
  const seen = new Set<object>();
  const rest: unknown[] = [input];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === "string" && !isStorableText(value)) return false;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const part of partsOf(value)) rest.push(part);
  }
  return true;
}

const isStorableText = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

function partsOf(value: object): Iterable<unknown> {
  if (value instanceof Map) return [...value].flat();
  return value instanceof Set ? value : Object.values(value);
}
