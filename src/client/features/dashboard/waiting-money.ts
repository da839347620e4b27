import { can, useViewer } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import type { WaitingMoney } from "#shared/dashboard/waiting-texts.ts";

/** Returns farms' money that waits for an owner; nothing for others, and where it can't be told. */
export function useWaitingMoney(): readonly WaitingMoney[] {
  const mayAct = can(useViewer(), "payments:process");
  const { data } = trpc.dashboard.waiting.useQuery(undefined, { enabled: mayAct, staleTime: 0 });
  return data ?? [];
}

/** The tab of a project's management where it is done. */
export const tabOfWaiting = ({ kind }: WaitingMoney) => (kind === "settle_sales" ? ("harvests" as const) : undefined);
