import { readUuid, readWords } from "#client/lib/addresses.ts";
import { type PaperKind, paperKinds } from "#shared/papers/kinds.ts";

/** The search parameters of /admin/papers. */
export type PapersSearch = { kind?: PaperKind | undefined; q?: string | undefined; user?: string | undefined };

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readPapersSearch(input: Record<string, unknown>): PapersSearch {
  return {
    kind: paperKinds.find((kind) => kind === input.kind),
    q: readWords(input.q),
    user: readUuid(input.user),
  };
}
