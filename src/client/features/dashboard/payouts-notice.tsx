import { can, useViewer } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { waitsForOwners } from "#shared/payouts/runs-texts.ts";
import classes from "./dashboard.module.css";

/** What of payouts waits for owners. Nothing where nothing does, and where it can't be told. */
export function PayoutsNotice() {
  const mayPay = can(useViewer(), "payouts:process");
  const { data } = trpc.payouts.overview.useQuery(undefined, { enabled: mayPay, staleTime: 0 });
  if (!data) return null;
  const waiting = waitsForOwners(data);
  if (waiting.length === 0) return null;
  return (
    <div className={classes.selfCheck}>
      <Notice tone={data.overdue > 0 ? "negative" : "waiting"} title="Payouts wait for you">
        <ul>
          {waiting.map(({ text, tab }) => (
            <li key={text}>
              <TextLink to="/admin/payouts" search={{ tab }}>
                {text}
              </TextLink>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
