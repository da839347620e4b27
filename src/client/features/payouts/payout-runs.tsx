import { keepPreviousData } from "@tanstack/react-query";
import { formatCount } from "#client/lib/format.ts";
import { trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { StatusBadge, type StatusTone } from "#client/ui/feedback/status-badge.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { type Column, DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent, MoreRows } from "#client/ui/lists/list-page.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import { type PayoutRunState, payoutRunStateLabels } from "#shared/payouts/texts.ts";
import classes from "./payouts.module.css";
import type { ListedRun } from "./payouts-search.ts";

const tones: Record<PayoutRunState, StatusTone> = {
  draft: "waiting",
  approved: "caution",
  exported: "positive",
  closed: "closed",
  void: "neutral",
};

export function RunState({ run }: { run: Pick<ListedRun, "state" | "stale" | "givenAt"> }) {
  const { state, stale, givenAt } = run;
  if (stale) return <StatusBadge tone="negative">To be cancelled</StatusBadge>;
  if (state === "exported" && givenAt === null) return <StatusBadge tone="caution">Files made</StatusBadge>;
  return <StatusBadge tone={tones[state]}>{payoutRunStateLabels[state]}</StatusBadge>;
}

const columns: Column<ListedRun>[] = [
  {
    header: "Run",
    inCard: "head",
    render: ({ id, payouts }) => (
      <span className={classes.cell}>
        <span className={classes.name}>Payment run {id}</span>
        <span className={classes.dimmed}>{texts.count(payouts)}</span>
      </span>
    ),
  },
  {
    header: "Amount",
    width: "9rem",
    align: "end",
    render: ({ totalKobo }) => <span className={`money ${classes.amount}`}>{formatNaira(totalKobo)}</span>,
  },
  { header: "State", width: "12rem", render: (run) => <RunState run={run} /> },
  {
    header: "Made by",
    width: "14rem",
    render: ({ madeByName, createdAt }) => (
      <span className={classes.cell}>
        {madeByName}
        <span className={classes.dimmed}>{formatDateTime(createdAt)}</span>
      </span>
    ),
  },
  {
    header: "Approved by",
    width: "14rem",
    render: ({ state, approvedByName, approvedAt }) =>
      approvedAt ? (
        <span className={classes.cell}>
          {approvedByName}
          <span className={classes.dimmed}>{formatDateTime(approvedAt)}</span>
        </span>
      ) : (
        <span className={classes.dimmed}>{state === "draft" ? "Nobody yet" : "Nobody"}</span>
      ),
  },
  {
    header: "Actions",
    width: "6.5rem",
    inCard: "wide",
    render: ({ id }) => (
      <LinkButton
        to="/admin/payouts"
        search={{ tab: "runs", run: id }}
        resetScroll={false}
        variant="default"
        size="sm"
        aria-label={`Open payment run ${id}`}
      >
        Open
      </LinkButton>
    ),
  },
];

/** The runs, the latest first. */
export function PayoutRuns() {
  const query = trpc.payouts.runs.useInfiniteQuery(
    {},
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  );
  const runs = query.data?.pages.flatMap((page) => page.runs);
  return (
    <section aria-label="Payment runs">
      <ListContent
        query={query}
        rows={runs}
        loading={<DataTableSkeleton label="Loading payment runs" columns={columns} />}
        failure={texts.runsFailed}
        empty={
          <EmptyState
            picture="/art/empty-payments.svg"
            title="No payment run yet"
            text="Choose what is due and make a run of it. Another owner approves it, and then its file is made for the bank."
            action={
              <LinkButton to="/admin/payouts" search={{}} replace resetScroll={false}>
                Show what is due
              </LinkButton>
            }
          />
        }
        foot={
          <MoreRows
            query={query}
            shown={`${formatCount(runs?.length ?? 0, "run")} shown`}
            label="Load more runs"
            failure={texts.runsFailed}
          />
        }
      >
        {(rows) => <DataTable label="Payment runs" columns={columns} rows={rows} rowKey={({ id }) => id} />}
      </ListContent>
    </section>
  );
}
