import { can, useViewer } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { payoutRunTexts as texts } from "#shared/payout-runs-texts.ts";
import classes from "./dashboard.module.css";

/** What of payouts waits for owners. Nothing where nothing does, and where it can't be told. */
export function PayoutsNotice() {
  const mayPay = can(useViewer(), "payouts:process");
  const { data } = trpc.payouts.overview.useQuery(undefined, { enabled: mayPay, staleTime: 0 });
  if (!data) return null;
  const { overdue, unseen, runsToApprove, runsToExport } = data;
  const waiting = [
    overdue > 0 && { text: texts.overdue(overdue), search: {} },
    unseen > 0 && { text: texts.unseen(unseen), search: { tab: "sent" as const } },
    runsToApprove > 0 && { text: texts.runsToApprove(runsToApprove), search: { tab: "runs" as const } },
    runsToExport > 0 && { text: texts.runsToExport(runsToExport), search: { tab: "runs" as const } },
  ].filter((item) => item !== false);
  if (waiting.length === 0) return null;
  return (
    <div className={classes.selfCheck}>
      <Notice tone={overdue > 0 ? "caution" : "waiting"} title="Payouts wait for you">
        <ul>
          {waiting.map(({ text, search }) => (
            <li key={text}>
              <TextLink to="/admin/payouts" search={search}>
                {text}
              </TextLink>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
