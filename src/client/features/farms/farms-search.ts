/** What the address of /admin/farms says. */
export type FarmsSearch = { q?: string | undefined; closed?: true | undefined };

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readFarmsSearch(input: Record<string, unknown>): FarmsSearch {
  const text = typeof input.q === "string" || typeof input.q === "number" ? String(input.q) : "";
  return { q: text.trim().slice(0, 100) || undefined, closed: input.closed === true ? true : undefined };
}
