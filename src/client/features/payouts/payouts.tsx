import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, Suspense } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { ExportMenu } from "#client/shared-parts/export-menu.tsx";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { FilterLink, FilterNav } from "#client/ui/layout/filter-nav.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { RefreshButton } from "#client/ui/lists/list-page.tsx";
import { formatNaira } from "#shared/money.ts";
import { waitsForOwners } from "#shared/payouts/runs-texts.ts";
import { DuePayouts } from "./due-payouts.tsx";
import { DonePayouts, SentPayouts, WaitingPayouts } from "./payout-lists.tsx";
import { PayoutRuns } from "./payout-runs.tsx";
import classes from "./payouts.module.css";
import { type Overview, type PayoutsSearch, type PayoutTab, payoutTabLabels, payoutTabs } from "./payouts-search.ts";

const RunDrawer = lazyDialog(() => import("./run-drawer.tsx"));

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
              {...(query.data && countOf(query.data, one))}
            >
              {payoutTabLabels[one]}
            </FilterLink>
          ))}
        </FilterNav>
        <div className={classes.refresh}>
          <ExportMenu tables={[{ name: "payouts", label: "All payouts" }]} />
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

/** Returns a tab's count: of runs only those to do, and says so ("3 to do"); none for what is over. */
function countOf(overview: Overview, tab: PayoutTab): { count?: number | string } {
  if (tab === "runs") {
    const toDo = overview.runsToApprove + overview.runsToVoid + overview.runsToExport + overview.runsToGive;
    return toDo > 0 ? { count: `${toDo} to do` } : {};
  }
  return tab === "done" || tab === "said" ? {} : { count: overview[tab].count };
}

/** The first things for an owner to look at, and the sums in one line, so that the list stays in sight. */
function Attention({ overview }: { overview: Overview }) {
  const { overdue, unseen, due, waiting, inRun, sent } = overview;
  const sums = [
    { name: "Due", ...due },
    { name: "No account yet", ...waiting },
    { name: "In a run", ...inRun },
    { name: "Sent, not seen yet", ...sent },
  ].filter(({ count }) => count > 0);
  const [first, ...others] = waitsForOwners(overview);
  return (
    <>
      {first && (
        <div className={classes.attention}>
          <Notice
            tone={overdue > 0 ? "negative" : unseen > 0 ? "caution" : "waiting"}
            title={
              <TextLink to="/admin/payouts" search={{ tab: first.tab }}>
                {first.text}
              </TextLink>
            }
          >
            {others.map(({ text, tab }) => (
              <p key={text}>
                <TextLink to="/admin/payouts" search={{ tab }}>
                  {text}
                </TextLink>
              </p>
            ))}
          </Notice>
        </div>
      )}
      {sums.length > 0 && (
        <dl className={classes.sums}>
          {sums.map(({ name, totalKobo }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className={`money ${classes.sum}`}>{formatNaira(totalKobo)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
