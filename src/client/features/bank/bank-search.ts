import { readPositiveInt, readWords } from "#client/lib/addresses.ts";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { type LineTab, lineTabs } from "#shared/bank/line-tabs.ts";

export type Overview = RouterOutputs["bank"]["overview"];
export type Account = Overview["accounts"][number];
export type ListedImport = RouterOutputs["bank"]["imports"]["items"][number];
export type ListedLine = RouterOutputs["bank"]["lines"]["items"][number];
export type Line = RouterOutputs["bank"]["line"];

/** The search parameters of /admin/bank; defaults are left out. */
export type BankSearch = {
  /** The own account; the active one without. */
  account?: number | undefined;
  tab?: LineTab | undefined;
  /** The line whose drawer is open. */
  line?: number | undefined;
  q?: string | undefined;
  /** The files that were imported, in the place of the lines. */
  view?: "imports" | undefined;
};

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readBankSearch(input: Record<string, unknown>): BankSearch {
  return {
    account: readPositiveInt(input.account),
    tab: lineTabs.find((tab) => tab === input.tab),
    line: readPositiveInt(input.line),
    q: readWords(input.q),
    view: input.view === "imports" ? "imports" : undefined,
  };
}
