import { type PaperKind, paperKinds } from "#shared/papers/kinds.ts";

/** What the address of /admin/papers says. */
export type PapersSearch = { kind?: PaperKind | undefined; q?: string | undefined; user?: string | undefined };

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readPapersSearch(input: Record<string, unknown>): PapersSearch {
  const text = typeof input.q === "string" || typeof input.q === "number" ? String(input.q) : "";
  return {
    kind: paperKinds.find((kind) => kind === input.kind),
    q: text.trim().slice(0, 100) || undefined,
    user: typeof input.user === "string" && uuid.test(input.user) ? input.user : undefined,
  };
}
