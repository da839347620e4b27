import { readPositiveInt } from "#client/lib/addresses.ts";
import type { RouterOutputs } from "#client/lib/trpc.ts";

export type Overview = RouterOutputs["payouts"]["overview"];
export type Payout = RouterOutputs["payouts"]["due"]["payouts"][number];
export type ListedRun = RouterOutputs["payouts"]["runs"]["runs"][number];
export type Run = RouterOutputs["payouts"]["run"];

export const payoutTabs = ["due", "waiting", "runs", "sent", "done", "said"] as const;
export type PayoutTab = (typeof payoutTabs)[number];

export const payoutTabLabels: Record<PayoutTab, string> = {
  due: "Due",
  waiting: "No account yet",
  runs: "Runs",
  sent: "Sent",
  done: "Paid and came back",
  said: "Claims without a match",
};

/** The search parameters of /admin/payouts; defaults are left out. */
export type PayoutsSearch = {
  tab?: PayoutTab | undefined;
  /** The run whose drawer is open. */
  run?: number | undefined;
};

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readPayoutsSearch(input: Record<string, unknown>): PayoutsSearch {
  return { tab: payoutTabs.find((tab) => tab === input.tab), run: readPositiveInt(input.run) };
}
