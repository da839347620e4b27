import { readWords } from "#client/lib/addresses.ts";

/** The search parameters of /admin/farms. */
export type FarmsSearch = { q?: string | undefined; closed?: true | undefined };

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readFarmsSearch(input: Record<string, unknown>): FarmsSearch {
  return { q: readWords(input.q), closed: input.closed === true ? true : undefined };
}
