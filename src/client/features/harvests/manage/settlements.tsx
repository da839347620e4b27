import { Button } from "@mantine/core";
import { useContext, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { useCan } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { formatDate } from "#shared/dates.ts";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { type HarvestPool, harvestPools, harvestTexts } from "#shared/harvests/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { FocusHome, ReasonDialog } from "./form-dialog.tsx";
import { type Harvest, type HarvestProps, isAllotted, nameOf, useRefetchHarvests } from "./harvest-data.ts";
import { LoseCosts } from "./lose-costs.tsx";
import classes from "./manage-harvests.module.css";
import { SettlementPreview } from "./settlement-preview.tsx";

type Settlement = Harvest["settlements"][number];

/** The proceeds of sales, divided. Owners divide them here, and end the harvest. */
export function Settlements({ harvest, round }: HarvestProps) {
  const [pool, setPool] = useState<HarvestPool | null>(null);
  const [reversing, setReversing] = useState<Settlement | null>(null);
  const { state, settlements, unsettledKobo } = harvest;
  const maySettle = useCan("harvests:settle");
  if (!isAllotted(harvest)) return null;
  const open = harvestPools.filter((one) => unsettledKobo[one] > 0n);
  return (
    <section className={classes.section} aria-label={`Settlement of ${nameOf(harvest)}`}>
      <h3 className={classes.heading}>Settlement</h3>
      {open.length === 0 && settlements.length === 0 && <p className={classes.fine}>{harvestTexts.nothingReceived}</p>}
      {pool !== null ? (
        <SettlementPreview key={pool} harvest={harvest} round={round} pool={pool} onClose={() => setPool(null)} />
      ) : (
        open.map((one) => (
          <div key={one} className={classes.open}>
            <p>
              <strong className="money">{formatNaira(unsettledKobo[one])}</strong> has arrived
              {one === "uncollected" && " for what nobody collected"} and isn't settled.
            </p>
            {maySettle && <Button onClick={() => setPool(one)}>Preview the settlement</Button>}
          </div>
        ))
      )}
      {settlements.length > 0 && (
        <ul className={classes.settlements}>
          {settlements.map((settlement) => (
            <SettlementRow
              key={settlement.id}
              settlement={settlement}
              isDone={state === "done"}
              maySettle={maySettle}
              onReverse={() => setReversing(settlement)}
            />
          ))}
        </ul>
      )}
      {maySettle && <Finish harvest={harvest} />}
      <Reverse settlement={reversing} onClose={() => setReversing(null)} />
    </section>
  );
}

type SettlementRowProps = { settlement: Settlement; isDone: boolean; maySettle: boolean; onReverse: () => void };

function SettlementRow({ settlement, isDone, maySettle, onReverse }: SettlementRowProps) {
  const { number, pool, proceedsKobo, costsKobo, farmKobo, netKobo, feeKobo, vatKobo, whtKobo } = settlement;
  const { createdAt, settledByName, reversedAt, reversedReason, canBeReversed } = settlement;
  const sums = [
    ["Costs", costsKobo],
    ["The farm", farmKobo],
    ["Backers", netKobo],
    ["Fee", feeKobo],
    ["VAT", vatKobo],
    ["Withheld tax", whtKobo],
  ] as const;
  return (
    <li className={classes.settlement}>
      <div className={classes.between}>
        <h4 className={classes.subheading}>
          Settlement {number}
          {pool === "uncollected" && ", of what nobody collected"}
        </h4>
        <span className={classes.figure}>{formatNaira(proceedsKobo)}</span>
        {reversedAt && <StatusBadge tone="neutral">Reversed</StatusBadge>}
      </div>
      <p className={classes.fine}>
        By {settledByName} on {formatDate(createdAt)}
      </p>
      <dl className={classes.sums}>
        {sums.map(
          ([label, kobo]) =>
            kobo > 0n && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{formatNaira(kobo)}</dd>
              </div>
            ),
        )}
      </dl>
      {reversedAt ? (
        <p>
          Reversed on {formatDate(reversedAt)}: {reversedReason}
        </p>
      ) : canBeReversed && !isDone ? (
        maySettle && (
          <Button
            className={classes.action}
            variant="default"
            size="sm"
            aria-label={`Reverse settlement ${number}…`}
            onClick={onReverse}
          >
            Reverse settlement…
          </Button>
        )
      ) : (
        <p className={classes.fine}>{isDone ? texts.staysDone : texts.staysPaid}</p>
      )}
    </li>
  );
}

function Reverse({ settlement, onClose }: { settlement: Settlement | null; onClose: () => void }) {
  const refetch = useRefetchHarvests();
  const reverse = trpc.harvests.reverse.useMutation({ onSettled: refetch });
  return (
    <ReasonDialog
      opened={settlement !== null}
      title={settlement ? `Reverse settlement ${settlement.number}` : ""}
      description="It stays with the settlement."
      submitLabel="Reverse settlement"
      onSubmit={async (reason) => {
        if (!settlement) return;
        await reverse.mutateAsync({ settlementId: settlement.id, reason });
        toast.success(texts.reversed);
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        {settlement && formatNaira(settlement.proceedsKobo)} is not owed to anybody any more, its payouts are cancelled,
        and it can be settled anew.
      </p>
    </ReasonDialog>
  );
}

/** Ends the harvest, or says what stands in the way. */
function Finish({ harvest }: Pick<HarvestProps, "harvest">) {
  const refetch = useRefetchHarvests();
  const focusHome = useContext(FocusHome);
  const [isAsking, setIsAsking] = useState(false);
  const finish = trpc.harvests.finish.useMutation({
    onSuccess: () => toast.success(texts.finished),
    onError: (error) => toast.error(texts.finishFailed, errorText(error)),
    onSettled: async () => {
      setIsAsking(false);
      await refetch();
    },
  });
  const { id: harvestId, state, finishRefusal, costsAtEnd } = harvest;
  if (state !== "allotted" && state !== "settled") return null;
  if (finishRefusal !== null) {
    return (
      <>
        <p className={classes.fine}>To finish: {finishRefusal}</p>
        <LoseCosts harvest={harvest} />
      </>
    );
  }
  return (
    <>
      <Button className={classes.action} variant="default" onClick={() => setIsAsking(true)}>
        Finish harvest…
      </Button>
      <LazyConfirmDialog
        opened={isAsking}
        title={`Finish ${nameOf(harvest)}?`}
        confirmLabel="Finish harvest"
        isDangerous
        isPending={finish.isPending}
        onConfirm={() => finish.mutate({ harvestId })}
        onClose={() => setIsAsking(false)}
        onClosed={focusHome}
      >
        <p>Nothing more is expected of it. Its settlements can't be reversed any more. This can't be undone.</p>
        {costsAtEnd.ofFarmKobo > 0n && (
          <p>
            {formatNaira(costsAtEnd.ofFarmKobo)} of costs that the platform paid is left. It comes off what is still
            owed to the farm of this harvest.
          </p>
        )}
      </LazyConfirmDialog>
    </>
  );
}
