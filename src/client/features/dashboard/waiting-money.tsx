import { can, useViewer } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { type WaitingMoney, waitingText, waitingTexts } from "#shared/dashboard/waiting-texts.ts";
import classes from "./dashboard.module.css";

/** What of farms' money waits for an owner; nothing for others, and where it can't be told. */
export function useWaitingMoney(): readonly WaitingMoney[] {
  const mayAct = can(useViewer(), "payments:process");
  const { data } = trpc.dashboard.waiting.useQuery(undefined, { enabled: mayAct, staleTime: 0 });
  return data ?? [];
}

/** The tab of a project's management where it is done. */
export const tabOfWaiting = ({ kind }: WaitingMoney) => (kind === "settle_sales" ? ("harvests" as const) : undefined);

/** Rounds to decide on, sales to settle and money to release, each with the way there. Nothing where nothing waits. */
export function WaitingMoneyNotice() {
  const waiting = useWaitingMoney();
  if (waiting.length === 0) return null;
  return (
    <div className={classes.selfCheck}>
      <Notice tone="waiting" title={waitingTexts.title}>
        <ul>
          {waiting.map((one) => {
            const text = waitingText(one);
            return (
              <li key={`${one.kind} ${text}`}>
                <TextLink
                  to="/project-updates/$id"
                  params={{ id: String(one.projectId) }}
                  search={{ tab: tabOfWaiting(one) }}
                >
                  {text}
                </TextLink>
              </li>
            );
          })}
        </ul>
      </Notice>
    </div>
  );
}
