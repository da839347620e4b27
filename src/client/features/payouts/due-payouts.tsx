import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import "#client/ui/mantine/fields.css";
import { Button, Checkbox, NativeSelect } from "@mantine/core";
import { Suspense, useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { formatNumber } from "#client/lib/format.ts";
import { useCan } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRequests } from "#client/shared-parts/open-requests.ts";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { StickyAction } from "#client/ui/layout/sticky-action.tsx";
import { type Column, DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent } from "#client/ui/lists/list-page.tsx";
import { formatNaira } from "#shared/money.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import { payoutLimits } from "#shared/payouts/texts.ts";
import {
  accountColumn,
  amountColumn,
  payeeColumn,
  payeeOf,
  promisedColumn,
  referenceColumn,
  referenceOf,
} from "./payout-cells.tsx";
import classes from "./payouts.module.css";
import type { Payout } from "./payouts-search.ts";
import { withholdColumn } from "./withhold-column.tsx";

const WithholdDialog = lazyDialog(() => import("./withhold-dialog.tsx"));

/** The payouts that may be put into a run: chosen, summed up, and made. */
export function DuePayouts({ onMade }: { onMade: (runId: number) => void }) {
  const [holding, setHolding] = useState<Payout | null>(null);
  const requests = useRequests("let_payout_go");
  const query = trpc.payouts.due.useQuery(undefined, { staleTime: 0 });
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const due = query.data?.payouts;
  // What somebody else has put into a run meanwhile isn't chosen any more.
  const taken = due?.filter(({ id, hindrance }) => chosen.has(id) && hindrance === null) ?? [];
  const choose = (id: number, isChosen: boolean) =>
    setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((one) => one !== id)));
  const mayProcess = useCan("payouts:process");
  const columns = mayProcess
    ? [chooseColumn(chosen, choose), ...dueColumns, withholdColumn(requests, setHolding)]
    : [...dueColumns, hindranceColumn];
  return (
    <section aria-label="Payouts that are due">
      <ListContent
        query={query}
        rows={due}
        loading={<DataTableSkeleton label="Loading payouts" columns={columns} />}
        failure={texts.fetchFailed}
        empty={
          <EmptyState
            picture="/art/success.svg"
            title="Nothing is due"
            text="Refunds and releases appear here as soon as it is known where they go."
          />
        }
      >
        {(rows) => (
          <>
            {mayProcess && (
              <MakeRun
                rows={rows}
                taken={taken}
                ownAccounts={query.data?.ownAccounts ?? []}
                onChoose={(ids) => setChosen(new Set(ids))}
                onMade={(runId) => {
                  setChosen(new Set());
                  onMade(runId);
                }}
              />
            )}
            <DataTable label="Payouts that are due" columns={columns} rows={rows} rowKey={({ id }) => id} />
            {rows.length === payoutLimits.runSize && (
              <p className={classes.dimmed}>
                The first {formatNumber(payoutLimits.runSize)} are shown, as many as one run may have. The others follow
                when these are in a run.
              </p>
            )}
          </>
        )}
      </ListContent>
      <Suspense>{holding && <WithholdDialog payout={holding} onClose={() => setHolding(null)} />}</Suspense>
    </section>
  );
}

const hindranceLabels = { withheld: "Withheld", blocked: "Blocked", resting: "Rests", replaced: "Changed" } as const;

const dueColumns = [payeeColumn, accountColumn, amountColumn, promisedColumn, referenceColumn];

function chooseColumn(chosen: ReadonlySet<number>, choose: (id: number, isChosen: boolean) => void): Column<Payout> {
  return {
    header: "Choose",
    width: "5rem",
    inCard: "wide",
    render: (payout) =>
      payout.hindrance === null ? (
        <Checkbox
          className={classes.choose}
          size="md"
          checked={chosen.has(payout.id)}
          aria-label={`Choose ${formatNaira(payout.amountKobo)} for ${payeeOf(payout)}, ${referenceOf(payout)}`}
          label={<span className={classes.chooseWord}>Put into the run</span>}
          onChange={({ currentTarget }) => choose(payout.id, currentTarget.checked)}
        />
      ) : (
        <StatusBadge tone="waiting">{hindranceLabels[payout.hindrance]}</StatusBadge>
      ),
  };
}

/** For those who may only look: whether a run may pay it. */
const hindranceColumn: Column<Payout> = {
  header: "State",
  width: "10rem",
  render: ({ hindrance, withheldReason }) => (
    <span className={classes.cell}>
      {hindrance === null ? "May be paid" : <StatusBadge tone="waiting">{hindranceLabels[hindrance]}</StatusBadge>}
      {withheldReason !== null && <span className={classes.dimmed}>{withheldReason}</span>}
    </span>
  ),
};

type OwnAccount = { id: number; bankName: string; accountNumber: string; isActive: boolean };
type MakeRunProps = {
  rows: readonly Payout[];
  taken: readonly Payout[];
  ownAccounts: readonly OwnAccount[];
  onChoose: (ids: number[]) => void;
  onMade: (runId: number) => void;
};

/** Shows the chosen sum and the account that pays it, with the press that makes a run of it. */
function MakeRun({ rows, taken, ownAccounts, onChoose, onMade }: MakeRunProps) {
  const utils = trpc.useUtils();
  const place = useRef<HTMLDivElement>(null);
  const [from, setFrom] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const ownAccountId = Number(from) || ownAccounts[0]?.id;
  const make = trpc.payouts.makeRun.useMutation({
    onSuccess: ({ runId }) => {
      toast.success(texts.made);
      onMade(runId);
    },
    onError: (error) => setProblem(errorText(error)),
    onSettled: () => utils.payouts.invalidate(),
  });
  if (ownAccounts.length === 0) {
    return (
      <Notice tone="caution" title="No bank account of ours is kept yet">
        <p>A run is paid from one of our bank accounts.</p>
        <LinkButton to="/admin/settings" size="sm" variant="default">
          Add a bank account
        </LinkButton>
      </Notice>
    );
  }
  const payable = rows.filter(({ hindrance }) => hindrance === null);
  const total = taken.reduce((sum, { amountKobo }) => sum + amountKobo, 0n);
  const isAll = taken.length === payable.length && payable.length > 0;
  const submit = () => {
    if (ownAccountId === undefined) return;
    setProblem(null);
    make.mutate({ payoutIds: taken.map(({ id }) => id), ownAccountId });
  };
  const button = (isWide: boolean) => (
    <Button fullWidth={isWide} disabled={taken.length === 0} loading={make.isPending} onClick={submit}>
      {taken.length === 0 ? "Make a payment run" : `Make a run of ${formatNaira(total)}`}
    </Button>
  );
  return (
    <>
      {problem && (
        <div className={classes.problem}>
          <Notice tone="negative" isAlert title={texts.makeFailed}>
            <p>{problem}</p>
          </Notice>
        </div>
      )}
      <div className={classes.make} ref={place}>
        <p role="status" className={classes.chosen}>
          {taken.length === 0 ? (
            texts.payable(payable.length)
          ) : (
            <>
              {texts.count(taken.length)} chosen, <strong className="money">{formatNaira(total)}</strong>
            </>
          )}
        </p>
        {ownAccounts.length > 1 && (
          <NativeSelect
            label="Paid from"
            value={String(ownAccountId)}
            data={ownAccounts.map(({ id, bankName, accountNumber }) => ({
              value: String(id),
              label: `${bankName} ${accountNumber}`,
            }))}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
          />
        )}
        <div className={classes.makeButtons}>
          <Button
            variant="default"
            disabled={payable.length === 0}
            onClick={() => onChoose(isAll ? [] : payable.map(({ id }) => id))}
          >
            {isAll ? "Choose none" : payable.length > 1 ? `Choose all ${formatNumber(payable.length)}` : "Choose all"}
          </Button>
          {button(false)}
        </div>
      </div>
      {taken.length > 0 && (
        <StickyAction of={place} until="desktop">
          {button(true)}
        </StickyAction>
      )}
    </>
  );
}
