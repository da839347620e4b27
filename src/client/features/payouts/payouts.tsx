import { useNavigate } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { formatCount } from "#client/lib/format.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { FilterLink, FilterNav } from "#client/ui/layout/filter-nav.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { RefreshButton } from "#client/ui/lists/list-page.tsx";
import { formatNaira } from "#shared/money.ts";
import { payoutRunTexts as texts } from "#shared/payout-runs-texts.ts";
import { DuePayouts } from "./due-payouts.tsx";
import { DonePayouts, SentPayouts, WaitingPayouts } from "./payout-lists.tsx";
import { PayoutRuns } from "./payout-runs.tsx";
import classes from "./payouts.module.css";
import { type Overview, type PayoutsSearch, type PayoutTab, payoutTabLabels, payoutTabs } from "./payouts-search.ts";

const RunDrawer = lazy(() => import("./run-drawer.tsx"));

/** `saidPaid` is the list of receipts for nothing that arrived, which is about payments. */
type PayoutsProps = { search: PayoutsSearch; saidPaid: ReactNode };

/** Money that leaves: what is due, its runs, and what became of it. */
export function Payouts({ search, saidPaid }: PayoutsProps) {
  const navigate = useNavigate({ from: "/admin/payouts" });
  const utils = trpc.useUtils();
  const query = trpc.payouts.overview.useQuery(undefined, { staleTime: 0 });
  const tab = search.tab ?? "due";
  const openRun = (run: number) => void navigate({ search: { tab: "runs", run }, resetScroll: false });
  const panels: Record<PayoutTab, () => ReactNode> = {
    due: () => <DuePayouts onMade={openRun} />,
    waiting: () => <WaitingPayouts />,
    runs: () => <PayoutRuns />,
    sent: () => <SentPayouts />,
    done: () => <DonePayouts />,
    said: () => saidPaid,
  };
  return (
    <>
      <PageHead
        title="Payouts"
        text="Money that is owed to backers and farms. One owner makes a payment run, another approves it, and its file goes to the bank."
      />
      {query.data && <Attention overview={query.data} />}
      <div className={classes.filters}>
        <FilterNav label="Payouts by their state">
          {payoutTabs.map((one) => (
            <FilterLink
              key={one}
              to="/admin/payouts"
              search={{ tab: one === "due" ? undefined : one }}
              replace
              resetScroll={false}
              isCurrent={one === tab}
              count={query.data && countOf(query.data, one)}
            >
              {payoutTabLabels[one]}
            </FilterLink>
          ))}
        </FilterNav>
        <div className={classes.refresh}>
          <RefreshButton query={query} onClick={() => void utils.payouts.invalidate()} />
        </div>
      </div>
      {panels[tab]()}
      <Suspense>
        <RunDrawer
          runId={search.run}
          onClose={() =>
            void navigate({ search: (shown) => ({ ...shown, run: undefined }), resetScroll: false, replace: true })
          }
        />
      </Suspense>
    </>
  );
}

function countOf(overview: Overview, tab: PayoutTab): number | undefined {
  if (tab === "runs") return overview.runsToApprove + overview.runsToExport;
  return tab === "done" || tab === "said" ? undefined : overview[tab].count;
}

/** What an owner should look at first, with the sums. */
function Attention({ overview }: { overview: Overview }) {
  const { overdue, unseen, runsToApprove, runsToExport, due, waiting, inRun, sent } = overview;
  const sums = [
    { name: "Due", ...due },
    { name: "No account yet", ...waiting },
    { name: "In a run", ...inRun },
    { name: "Sent, not seen yet", ...sent },
  ];
  const runs = [
    runsToApprove > 0 && texts.runsToApprove(runsToApprove),
    runsToExport > 0 && texts.runsToExport(runsToExport),
  ].filter((text) => text !== false);
  return (
    <>
      {(overdue > 0 || unseen > 0) && (
        <Notice
          tone="caution"
          title={[overdue > 0 && texts.overdue(overdue), unseen > 0 && texts.unseen(unseen)].filter(Boolean).join(" ")}
        >
          {unseen > 0 && (
            <p>Import the latest statement. What it still doesn't show can be marked as paid or declared failed.</p>
          )}
        </Notice>
      )}
      <dl className={classes.sums}>
        {sums.map(({ name, count, totalKobo }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={`money ${classes.sum}`}>{formatNaira(totalKobo)}</dd>
            <dd className={classes.dimmed}>{formatCount(count, "payout")}</dd>
          </div>
        ))}
      </dl>
      {runs.length > 0 && <p className={classes.runsWait}>{runs.join(" ")}</p>}
    </>
  );
}
