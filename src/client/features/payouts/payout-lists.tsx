import { Button } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, Suspense, useState } from "react";
import { formatCount } from "#client/lib/format.ts";
import { useCan } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRequests } from "#client/shared-parts/open-requests.ts";
import { PayoutBadge } from "#client/shared-parts/payout-badge.tsx";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { type Column, DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent, MoreRows } from "#client/ui/lists/list-page.tsx";
import { RowMenu } from "#client/ui/lists/row-menu.tsx";
import { formatDate, formatDateTime } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import type { PayoutList } from "#shared/payouts/inputs.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import type { EnteredPayee } from "./enter-account.tsx";
import { accountColumn, amountColumn, payeeColumn, payeeOf, referenceColumn, referenceOf } from "./payout-cells.tsx";
import classes from "./payouts.module.css";
import type { Payout } from "./payouts-search.ts";
import { withholdColumn } from "./withhold-column.tsx";

const EnterAccount = lazyDialog(() => import("./enter-account.tsx"));
const FarmAccountDialog = lazyDialog(() => import("./farm-account-dialog.tsx"));
const WithholdDialog = lazyDialog(() => import("./withhold-dialog.tsx"));
const SentDialog = lazyDialog(() => import("./sent-dialog.tsx"));

type ListOfProps = {
  list: PayoutList;
  label: string;
  /** Returns the columns for all shown rows. */
  columnsOf: (rows: readonly Payout[]) => Column<Payout>[];
  headOf?: (rows: readonly Payout[]) => ReactNode;
  empty: ReactNode;
};

/** Payouts of some states, a page at a time. */
function ListOf({ list, label, columnsOf, headOf, empty }: ListOfProps) {
  const query = trpc.payouts.list.useInfiniteQuery(
    { list },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  );
  const rows = query.data?.pages.flatMap((page) => page.payouts);
  const columns = columnsOf(rows ?? []);
  return (
    <section aria-label={label}>
      <ListContent
        query={query}
        rows={rows}
        loading={<DataTableSkeleton label="Loading payouts" columns={columns} />}
        failure={texts.fetchFailed}
        empty={empty}
        foot={
          <MoreRows
            query={query}
            shown={`${formatCount(rows?.length ?? 0, "payout")} shown`}
            label="Load more payouts"
            failure={texts.fetchFailed}
          />
        }
      >
        {(shown) => (
          <>
            {headOf?.(shown)}
            <DataTable
              label={label}
              columns={columns}
              rows={shown}
              rowKey={({ id }) => id}
              isStale={query.isPlaceholderData}
            />
          </>
        )}
      </ListContent>
    </section>
  );
}

/** Returns the key of the account that a payout waits for. */
const payeeKey = ({ kind, userId, farmId, lineId }: Payout): string => {
  if (kind === "sender") return `line/${lineId}`;
  return kind === "farm" ? `farm ${farmId}` : `${userId}`;
};

/**
 * Nobody has said where to yet. Who can't, because they are blocked, left or are no user, has an account entered by two
 * owners.
 */
export function WaitingPayouts() {
  const [entering, setEntering] = useState<EnteredPayee | null>(null);
  const [farm, setFarm] = useState<{ farmId: number; name: string } | null>(null);
  const requests = useRequests("enter_payee_account");
  const farmRequests = useRequests("set_farm_account");
  const letGoRequests = useRequests("let_payout_go");
  const [holding, setHolding] = useState<Payout | null>(null);
  const mayProcess = useCan("payouts:process");
  const columnsOf = (rows: readonly Payout[]): Column<Payout>[] => [
    payeeColumn,
    amountColumn,
    {
      header: "Owed since",
      width: "8rem",
      render: ({ createdAt }) => <time dateTime={createdAt.toISOString()}>{formatDate(createdAt)}</time>,
    },
    referenceColumn,
    {
      header: "What happens next",
      width: "15rem",
      inCard: "wide",
      render: (payout) => {
        const { kind, farmId, userId, lineId, isBlocked, isClosed } = payout;
        if (kind !== "farm" && kind !== "sender" && !isBlocked && !isClosed) {
          return <span className={classes.dimmed}>They were asked where to.</span>;
        }
        if (!mayProcess) return <span className={classes.dimmed}>Two owners say where to.</span>;
        const first = rows.find((row) => payeeKey(row) === payeeKey(payout));
        if (first && first.id !== payout.id) {
          return (
            <span className={classes.dimmed}>
              As with <span className="reference">{referenceOf(first)}</span>.
            </span>
          );
        }
        if (requests.has(payeeKey(payout))) {
          return <StatusBadge tone="waiting">Another owner is asked</StatusBadge>;
        }
        if (farmId !== null) {
          if (farmRequests.has(String(farmId))) {
            return <StatusBadge tone="waiting">Another owner is asked</StatusBadge>;
          }
          return (
            <Button
              variant="default"
              size="sm"
              aria-label={`Give the farm's account: ${payeeOf(payout)}`}
              onClick={() => setFarm({ farmId, name: payeeOf(payout) })}
            >
              Give the farm's account
            </Button>
          );
        }
        return (
          <Button
            variant="default"
            size="sm"
            aria-label={`Enter account of ${payeeOf(payout)}`}
            onClick={() => {
              if (lineId) setEntering({ lineId, transfer: payout.projectTitle });
              else if (userId) setEntering({ userId, name: payeeOf(payout) });
            }}
          >
            Enter account
          </Button>
        );
      },
    },
    ...(mayProcess ? [withholdColumn(letGoRequests, setHolding)] : []),
  ];
  return (
    <>
      <ListOf
        list="waiting"
        label="Payouts without an account"
        columnsOf={columnsOf}
        empty={
          <EmptyState
            picture="/art/success.svg"
            title="Everybody has said where to"
            text="Money that is owed to somebody whose account we don't know appears here."
          />
        }
      />
      <Suspense>{holding && <WithholdDialog payout={holding} onClose={() => setHolding(null)} />}</Suspense>
      <Suspense>{entering && <EnterAccount payee={entering} onClose={() => setEntering(null)} />}</Suspense>
      <Suspense>{farm && <FarmAccountDialog farm={farm} onClose={() => setFarm(null)} />}</Suspense>
    </>
  );
}

type Asked = { payout: Payout; act: "paid" | "failed" };

/** On their way: what no statement shows can be marked as paid, or declared failed by two. */
export function SentPayouts() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const requests = useRequests("fail_payout");
  const mayProcess = useCan("payouts:process");
  const columns: Column<Payout>[] = [
    payeeColumn,
    accountColumn,
    amountColumn,
    {
      header: "Sent",
      width: "10rem",
      render: ({ id, sentAt, runId, isUnseen, state, paidAt, paidByName }) => (
        <span className={classes.cell}>
          {sentAt && <time dateTime={sentAt.toISOString()}>{formatDateTime(sentAt)}</time>}
          {state === "paid" && paidAt && (
            <span className={classes.dimmed}>
              Marked as paid on {formatDate(paidAt)} by {paidByName ?? "nobody known"}
            </span>
          )}
          <RunLink runId={runId} tab="sent" />
          {isUnseen && <StatusBadge tone="caution">Not seen leaving</StatusBadge>}
          {requests.has(String(id)) && <StatusBadge tone="waiting">Another owner is asked</StatusBadge>}
        </span>
      ),
    },
    referenceColumn,
  ];
  const actions: Column<Payout> = {
    header: "Actions",
    width: "8rem",
    inCard: "wide",
    render: (payout) => {
      const mayAsk = payout.mayFail && !requests.has(String(payout.id));
      if (payout.state === "paid" && !mayAsk) return null;
      return (
        <RowMenu
          subject={`${formatNaira(payout.amountKobo)} for ${payeeOf(payout)}, ${referenceOf(payout)}`}
          isBusy={false}
          actions={[
            ...(payout.state === "paid"
              ? []
              : [
                  {
                    label: "Mark as paid…",
                    icon: <IconCheck size={18} aria-hidden="true" />,
                    onChoose: () => setAsked({ payout, act: "paid" as const }),
                  },
                ]),
            ...(mayAsk
              ? [
                  {
                    label: "Declare failed…",
                    icon: <IconX size={18} aria-hidden="true" />,
                    isDangerous: true,
                    onChoose: () => setAsked({ payout, act: "failed" as const }),
                  },
                ]
              : []),
          ]}
        />
      );
    },
  };
  return (
    <>
      <ListOf
        list="sent"
        label="Payouts that were sent"
        columnsOf={() => (mayProcess ? [...columns, actions] : columns)}
        headOf={(rows) =>
          mayProcess &&
          rows.some(({ isUnseen }) => isUnseen) && (
            <p>Import the latest statement. What it still doesn't show can be marked as paid or declared failed.</p>
          )
        }
        empty={
          <EmptyState
            title="Nothing is on its way"
            text="Payouts appear here from the file for the bank until a statement shows them."
          />
        }
      />
      <Suspense>
        {asked && <SentDialog payout={asked.payout} act={asked.act} onClose={() => setAsked(null)} />}
      </Suspense>
    </>
  );
}

function RunLink({ runId, tab }: { runId: number | null; tab: "sent" | "done" }) {
  if (runId === null) return null;
  return (
    <Link to="/admin/payouts" search={{ tab, run: runId }} resetScroll={false} className={classes.link}>
      Payment run {runId}
    </Link>
  );
}

const doneColumns: Column<Payout>[] = [
  payeeColumn,
  accountColumn,
  amountColumn,
  {
    header: "What happened to it",
    width: "16rem",
    render: ({ state, paidAt, paidByName, paidSessionId, paidReason, failedAt, failedReason, isRefused, runId }) => (
      <span className={classes.cell}>
        <PayoutBadge payout={{ state, isRefused }} />
        {state === "failed" && failedAt && (
          <span>
            {formatDateTime(failedAt)}: {failedReason}
          </span>
        )}
        {state === "paid" && paidAt && (
          <span>
            {paidByName
              ? `${formatDateTime(paidAt)}, marked by ${paidByName}`
              : `${formatDate(paidAt)}, seen on a statement`}
          </span>
        )}
        {paidReason && (
          <span className={classes.dimmed}>
            {paidSessionId && (
              <>
                Session ID <span className={classes.number}>{paidSessionId}</span>.{" "}
              </>
            )}
            {paidReason}
          </span>
        )}
        <RunLink runId={runId} tab="done" />
      </span>
    ),
  },
  referenceColumn,
];

/**
 * Payouts that were paid, or came back and have another in their place. One that only an owner has seen leave may have
 * failed.
 */
export function DonePayouts() {
  const [failing, setFailing] = useState<Payout | null>(null);
  const requests = useRequests("fail_payout");
  const mayProcess = useCan("payouts:process");
  const actions: Column<Payout> = {
    header: "Actions",
    width: "8rem",
    inCard: "wide",
    render: (payout) => {
      if (!payout.mayFail) return null;
      if (requests.has(String(payout.id))) return <StatusBadge tone="waiting">Another owner is asked</StatusBadge>;
      return (
        <RowMenu
          subject={`${formatNaira(payout.amountKobo)} for ${payeeOf(payout)}, ${referenceOf(payout)}`}
          isBusy={false}
          actions={[
            {
              label: "Declare failed…",
              icon: <IconX size={18} aria-hidden="true" />,
              isDangerous: true,
              onChoose: () => setFailing(payout),
            },
          ]}
        />
      );
    },
  };
  return (
    <>
      <ListOf
        list="done"
        label="Payouts that were paid or came back"
        columnsOf={(payouts) =>
          mayProcess && payouts.some(({ mayFail }) => mayFail) ? [...doneColumns, actions] : doneColumns
        }
        empty={
          <EmptyState
            picture="/art/empty-payments.svg"
            title="Nothing was paid yet"
            text="Payouts appear here once a statement shows that they left, or that they came back."
          />
        }
      />
      <Suspense>{failing && <SentDialog payout={failing} act="failed" onClose={() => setFailing(null)} />}</Suspense>
    </>
  );
}
