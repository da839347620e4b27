import { Button } from "@mantine/core";
import { useState } from "react";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { useCan } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { type Column, DataTable } from "#client/ui/lists/data-table.tsx";
import { costPayerLabels, costPayers, harvestTexts } from "#shared/harvests/texts.ts";
import { formatNaira, sumOf } from "#shared/money.ts";
import { CostFields } from "./cost-form.tsx";
import { FormDialog, ReasonDialog } from "./form-dialog.tsx";
import { type Harvest, type HarvestProps, isWithoutSales, nameOf, useRefetchHarvests } from "./harvest-data.ts";
import { EvidenceLink } from "./harvest-files.tsx";
import classes from "./manage-harvests.module.css";
import { nameOfCost, RemoveButton, RemoveCost } from "./remove-cost.tsx";

type Cost = Harvest["costs"][number];

/** The costs that come off the sales first, by the terms. */
export function Costs({ harvest, round }: HarvestProps) {
  const [isAdding, setIsAdding] = useState(false);
  const add = trpc.harvests.addCost.useMutation();
  const remove = trpc.harvests.removeCost.useMutation();
  const [removing, setRemoving] = useState<Cost | null>(null);
  const [counting, setCounting] = useState<Cost | null>(null);
  const { costs, state, costsLostAt } = harvest;
  const mayAsk = useCan("payments:process");
  const mayManage = useCan("harvests:manage");
  const maySettle = useCan("harvests:settle");
  const requests = trpc.secondPerson.list.useQuery(undefined, { staleTime: 0, enabled: mayAsk });
  const isAsked = ({ id }: Cost) =>
    requests.data?.requests.some(({ kind, subject }) => kind === "count_cost" && subject === String(id)) ?? false;
  const actions = {
    isAsked,
    onRemove: mayManage ? setRemoving : null,
    onCount: mayAsk && requests.data ? setCounting : null,
  };
  const mayAdd = mayManage && (!costsLostAt || maySettle);
  const canAdd = state !== "done" && mayAdd && round.deductibleCosts.length > 0;
  const close = () => setIsAdding(false);
  const { unwrittenKobo } = harvest.costsAtEnd;
  if (costs.length === 0 && unwrittenKobo === 0n && (state === "done" || (isWithoutSales(harvest) && !canAdd)))
    return null;
  return (
    <section className={classes.section} aria-label={`Costs of ${nameOf(harvest)}`}>
      <h3 className={classes.heading}>Costs</h3>
      {round.deductibleCosts.length === 0 ? (
        <p className={classes.fine}>The terms of this round name no costs, so any cost is the farm's.</p>
      ) : (
        costs.length === 0 && (
          <p className={classes.fine}>
            {isWithoutSales(harvest)
              ? "None. What the platform paid for it can be written down, and is lost."
              : `None yet. Under the terms these come off the sales: ${round.deductibleCosts.join(", ")}.`}
          </p>
        )
      )}
      {unwrittenKobo > 0n && <Notice tone="caution" title={harvestTexts.unwritten(formatNaira(unwrittenKobo))} />}
      {costs.length > 0 && (
        <DataTable
          label={`Costs of ${nameOf(harvest)}`}
          columns={costColumns(harvest, actions)}
          rows={costs}
          rowKey={({ id }) => id}
        />
      )}
      {canAdd && (
        <Button className={classes.action} variant="default" size="sm" onClick={() => setIsAdding(true)}>
          Add a cost…
        </Button>
      )}
      <FormDialog opened={isAdding} title={`Cost of ${nameOf(harvest)}`} onClose={close}>
        <CostFields
          labels={round.deductibleCosts}
          payers={isWithoutSales(harvest) ? ["platform"] : costPayers}
          add={(cost) => add.mutateAsync({ ...cost, harvestId: harvest.id })}
          onClose={close}
        />
      </FormDialog>
      <RemoveCost cost={removing} remove={remove.mutateAsync} onClose={() => setRemoving(null)} />
      <CountCost cost={counting} onClose={() => setCounting(null)} />
    </section>
  );
}

type CostActions = {
  isAsked: (cost: Cost) => boolean;
  /** Null for who may only look. */
  onRemove: ((cost: Cost) => void) | null;
  /** Null for who can't ask another owner. */
  onCount: ((cost: Cost) => void) | null;
};

function costColumns(harvest: Harvest, actions: CostActions): Column<Cost>[] {
  const { costs, files } = harvest;
  const money = (header: string, key: "amountKobo" | "takenKobo"): Column<Cost> => ({
    header,
    align: "end",
    render: (cost) => formatNaira(cost[key]),
    sum: formatNaira(sumOf(costs.map((cost) => cost[key]))),
  });
  return [
    { header: "Cost", inCard: "head", render: ({ label }) => label, sum: "Sum" },
    money("Amount", "amountKobo"),
    money("Settled", "takenKobo"),
    { header: "Paid by", render: (cost) => <Payer cost={cost} isAsked={actions.isAsked(cost)} /> },
    {
      header: "Evidence",
      render: ({ id, label }) => <EvidenceLink file={files.find(({ costId }) => costId === id)} of={label} />,
    },
    {
      header: "Actions",
      inCard: "wide",
      render: (cost) => <CostButtons cost={cost} harvest={harvest} {...actions} />,
    },
  ];
}

function Payer({ cost: { paidBy, isCounted }, isAsked }: { cost: Cost; isAsked: boolean }) {
  if (isCounted) return costPayerLabels[paidBy];
  return (
    <span className={classes.stack}>
      <span>{costPayerLabels[paidBy]}</span>
      <span className={classes.fine}>
        {isAsked ? "Another owner is asked to confirm that the farm paid it." : harvestTexts.costWaits}
      </span>
    </span>
  );
}

function CostButtons({ cost, harvest, isAsked, onRemove, onCount }: CostActions & { cost: Cost; harvest: Harvest }) {
  if (!onRemove || cost.takenKobo > 0n || harvest.state === "done" || harvest.costsLostAt) return null;
  const name = nameOfCost(cost);
  return (
    <ButtonRow>
      {onCount && !cost.isCounted && !isAsked(cost) && !isWithoutSales(harvest) && (
        <Button size="sm" aria-label={`Send to another owner… (${name})`} onClick={() => onCount(cost)}>
          Send to another owner…
        </Button>
      )}
      <RemoveButton cost={cost} onRemove={onRemove} />
    </ButtonRow>
  );
}

/** Another owner confirms that the farm paid it, which no line ever shows. */
function CountCost({ cost, onClose }: { cost: Cost | null; onClose: () => void }) {
  const refetch = useRefetchHarvests();
  const ask = useAskSecondPerson(refetch);
  return (
    <ReasonDialog
      opened={cost !== null}
      title={cost ? `Count ${cost.label} as paid by the farm` : ""}
      description="The other owner reads it."
      submitLabel="Send to another owner"
      onSubmit={async (reason) => {
        if (!cost) return;
        const details = { costId: cost.id, amountKobo: String(cost.amountKobo) };
        await ask.mutateAsync({ kind: "count_cost", details, reason });
        onClose();
      }}
      onClose={onClose}
    >
      {cost && (
        <p>
          Nothing happens before another owner has looked at its evidence and confirms it. Then the farm gets{" "}
          {formatNaira(cost.amountKobo)} back from the next settlement, before anything is shared among its backers.
        </p>
      )}
    </ReasonDialog>
  );
}
