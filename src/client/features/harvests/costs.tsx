import "#client/ui/mantine/fields.css";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { faultsOf } from "#client/lib/faults.ts";
import { can, useViewer } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { type Column, DataTable } from "#client/ui/lists/data-table.tsx";
import { costForm } from "#shared/harvests.ts";
import { harvestAdminTexts as texts } from "#shared/harvests-admin-texts.ts";
import { costPayerLabels, costPayers } from "#shared/harvests-texts.ts";
import { formatNaira } from "#shared/money.ts";
import { EvidenceField, useEvidence } from "./evidence.tsx";
import { DialogFields, FormDialog, useDialogForm } from "./form-dialog.tsx";
import { type Harvest, type HarvestProps, isWithoutSales, nameOf, sumOf, useLookAgain } from "./harvest-data.ts";
import { EvidenceLink } from "./harvest-files.tsx";
import classes from "./manage-harvests.module.css";

type Cost = Harvest["costs"][number];

/** What comes off the sales first, by the terms. */
export function Costs({ harvest, round }: HarvestProps) {
  const [isAdding, setIsAdding] = useState(false);
  const [removing, setRemoving] = useState<Cost | null>(null);
  const { costs, state, costsLostAt } = harvest;
  const viewer = useViewer();
  const mayAdd = !costsLostAt || (viewer !== null && can(viewer, "harvests:settle"));
  const canAdd = state !== "done" && mayAdd && round.deductibleCosts.length > 0;
  const close = () => setIsAdding(false);
  if (costs.length === 0 && (state === "done" || (isWithoutSales(harvest) && !canAdd))) return null;
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
              : `None yet. By the terms these come off the sales: ${round.deductibleCosts.join(", ")}.`}
          </p>
        )
      )}
      {costs.length > 0 && (
        <DataTable
          label={`Costs of ${nameOf(harvest)}`}
          columns={costColumns(harvest, setRemoving)}
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
        <AddCost harvest={harvest} round={round} onClose={close} />
      </FormDialog>
      <RemoveCost cost={removing} onClose={() => setRemoving(null)} />
    </section>
  );
}

function costColumns({ costs, files, state, costsLostAt }: Harvest, onRemove: (cost: Cost) => void): Column<Cost>[] {
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
    { header: "Paid by", render: ({ paidBy }) => costPayerLabels[paidBy] },
    {
      header: "Evidence",
      render: ({ id, label }) => <EvidenceLink file={files.find(({ costId }) => costId === id)} of={label} />,
    },
    {
      header: "Actions",
      inCard: "wide",
      render: (cost) =>
        cost.takenKobo === 0n &&
        state !== "done" &&
        !costsLostAt && (
          <Button
            variant="default"
            size="sm"
            aria-label={`Remove ${cost.label}, ${formatNaira(cost.amountKobo)}`}
            onClick={() => onRemove(cost)}
          >
            Remove
          </Button>
        ),
    },
  ];
}

function RemoveCost({ cost, onClose }: { cost: Cost | null; onClose: () => void }) {
  const lookAgain = useLookAgain();
  const remove = trpc.harvests.removeCost.useMutation({
    onSuccess: () => toast.success(texts.costRemoved),
    onError: (error) => toast.error(texts.costRemoveFailed, errorText(error)),
    onSettled: async () => {
      onClose();
      await lookAgain();
    },
  });
  return (
    <LazyConfirmDialog
      opened={cost !== null}
      title="Remove this cost?"
      confirmLabel="Remove"
      isDangerous
      isPending={remove.isPending}
      onConfirm={() => cost && remove.mutate({ costId: cost.id })}
      onClose={onClose}
    >
      {cost && `${cost.label}, ${formatNaira(cost.amountKobo)}, doesn't come off the sales any more.`}
    </LazyConfirmDialog>
  );
}

const typedCost = costForm.omit({ fileId: true });

function AddCost({ harvest, round, onClose }: HarvestProps & { onClose: () => void }) {
  const lookAgain = useLookAgain();
  const evidence = useEvidence();
  const add = trpc.harvests.addCost.useMutation();
  const sent = useDialogForm<{ label: string; amount: string; paidBy: string }>({
    initialValues: {
      ...{ label: round.deductibleCosts[0] ?? "", amount: "" },
      paidBy: isWithoutSales(harvest) ? "platform" : "farm",
    },
    check: (values) => {
      const fileId = evidence.check();
      return { ...faultsOf(typedCost, values), ...(fileId && { fileId }) };
    },
    send: async (values) => {
      const paidBy = costPayers.find((payer) => payer === values.paidBy) ?? "farm";
      await evidence.send((fileId) => add.mutateAsync({ ...values, paidBy, harvestId: harvest.id, fileId }));
      toast.success(texts.costAdded);
      onClose();
      await lookAgain();
    },
  });
  const { form } = sent;
  const payers = costPayers.filter((payer) => payer === "platform" || !isWithoutSales(harvest));
  return (
    <DialogFields sent={sent} submitLabel="Add cost" isSendingFile={evidence.share !== null} onCancel={onClose}>
      <NativeSelect
        label="Cost"
        description="As the terms of the round name them; any other is the farm's"
        data={round.deductibleCosts}
        data-autofocus
        {...form.getInputProps("label")}
      />
      <TextInput
        label="Amount"
        leftSection="₦"
        inputMode="decimal"
        autoComplete="off"
        {...form.getInputProps("amount")}
      />
      <NativeSelect
        label="Who paid it"
        description={
          isWithoutSales(harvest)
            ? "Nothing of it is sold, so the farm gets nothing back"
            : "The farm gets back what it paid"
        }
        data={payers.map((value) => ({ value, label: costPayerLabels[value] }))}
        {...form.getInputProps("paidBy")}
      />
      <EvidenceField label="Evidence" evidence={evidence} refused={form.errors.fileId} />
    </DialogFields>
  );
}
