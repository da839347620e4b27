import { Button } from "@mantine/core";
import { useState } from "react";
import { CostFields } from "#client/features/harvests/manage/cost-form.tsx";
import { FormDialog } from "#client/features/harvests/manage/form-dialog.tsx";
import { nameOf } from "#client/features/harvests/manage/harvest-data.ts";
import { EvidenceLink } from "#client/features/harvests/manage/harvest-files.tsx";
import classes from "#client/features/harvests/manage/manage-harvests.module.css";
import { RemoveButton, RemoveCost } from "#client/features/harvests/manage/remove-cost.tsx";
import { trpc } from "#client/lib/trpc.ts";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { type Column, DataTable } from "#client/ui/lists/data-table.tsx";
import { formatNaira, sumOf } from "#shared/money.ts";
import type { KeptHarvestFacts } from "./use-kept-harvests.ts";

type Cost = KeptHarvestFacts["costs"][number];
type KeptCostsProps = { harvest: KeptHarvestFacts; labels: readonly string[] };

/** The farm's costs for a harvest, which it gets back from its sales once two owners have confirmed them. */
export function KeptCosts({ harvest, labels }: KeptCostsProps) {
  const [isAdding, setIsAdding] = useState(false);
  const [removing, setRemoving] = useState<Cost | null>(null);
  const remove = trpc.farmHarvests.removeCost.useMutation();
  const add = trpc.farmHarvests.addCost.useMutation();
  const { id: harvestId, state, costs, costsLostAt } = harvest;
  const isOver = state === "done" || state === "lost" || state === "withdrawn";
  const canAdd = !isOver && costsLostAt === null && labels.length > 0;
  const close = () => setIsAdding(false);
  if (isOver && costs.length === 0) return null;
  return (
    <section className={classes.section} aria-label={`Costs of ${nameOf(harvest)}`}>
      <h3 className={classes.heading}>What the farm paid</h3>
      {costs.length === 0 && (
        <p className={classes.fine}>
          {labels.length === 0
            ? "The terms of this round name no costs, so any cost is the farm's."
            : `Nothing yet. Under the terms the farm gets these back from the sales: ${labels.join(", ")}.`}
        </p>
      )}
      {costs.length > 0 && (
        <DataTable
          label={`Costs of ${nameOf(harvest)}`}
          columns={columnsOf(harvest, setRemoving)}
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
          labels={labels}
          payers={["farm"]}
          payerWords="What the farm paid itself. It gets that back from the sales, once two owners of this site have confirmed it."
          add={({ paidBy: _, ...cost }) => add.mutateAsync({ ...cost, harvestId })}
          onClose={close}
        />
      </FormDialog>
      <RemoveCost cost={removing} remove={remove.mutateAsync} onClose={() => setRemoving(null)} />
    </section>
  );
}

const columnsOf = ({ costs, files }: KeptHarvestFacts, onRemove: (cost: Cost) => void): Column<Cost>[] => [
  { header: "Cost", inCard: "head", render: ({ label }) => label, sum: "Sum" },
  {
    header: "Amount",
    align: "end",
    render: ({ amountKobo }) => formatNaira(amountKobo),
    sum: formatNaira(sumOf(costs.map(({ amountKobo }) => amountKobo))),
  },
  {
    header: "State",
    render: ({ isCounted }) =>
      isCounted ? (
        <StatusBadge tone="positive">Confirmed</StatusBadge>
      ) : (
        <StatusBadge tone="waiting">To be confirmed</StatusBadge>
      ),
  },
  {
    header: "Evidence",
    render: ({ id, label }) => <EvidenceLink file={files.find(({ costId }) => costId === id)} of={label} />,
  },
  {
    header: "Actions",
    inCard: "wide",
    render: (cost) => (cost.isOwn && !cost.isCounted ? <RemoveButton cost={cost} onRemove={onRemove} /> : null),
  },
];
