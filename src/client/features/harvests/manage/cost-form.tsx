import { EvidenceField, useEvidence } from "#client/shared-parts/evidence.tsx";
import "#client/ui/mantine/fields.css";
import { NativeSelect, TextInput } from "@mantine/core";
import { faultsOf } from "#client/lib/faults.ts";
import { toast } from "#client/lib/toast.ts";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { costForm } from "#shared/harvests/inputs.ts";
import { type CostPayer, costPayerLabels, costPayers } from "#shared/harvests/texts.ts";
import { DialogFields, useDialogForm } from "./form-dialog.tsx";
import { useRefetchHarvests } from "./harvest-data.ts";

const typedCost = costForm.omit({ fileId: true });

type CostFieldsProps = {
  /** The costs that the terms of the round name. */
  labels: readonly string[];
  /** Who may have paid it. Nobody is asked for where there is one choice that needs no words. */
  payers: readonly CostPayer[];
  /** Says who paid it where the form doesn't ask. */
  payerWords?: string;
  add: (cost: { label: string; amount: string; paidBy: CostPayer; fileId: string }) => Promise<unknown>;
  onClose: () => void;
};

/** A cost with its evidence. */
export function CostFields({ labels, payers, payerWords, add, onClose }: CostFieldsProps) {
  const refetch = useRefetchHarvests();
  const evidence = useEvidence("/uploads/harvest-evidence");
  const onlyPlatform = !payers.includes("farm");
  const sent = useDialogForm<{ label: string; amount: string; paidBy: string }>({
    initialValues: { label: labels[0] ?? "", amount: "", paidBy: onlyPlatform ? "platform" : "farm" },
    check: (values) => {
      const fileId = evidence.check();
      return { ...faultsOf(typedCost, values), ...(fileId && { fileId }) };
    },
    send: async (values) => {
      const paidBy = costPayers.find((payer) => payer === values.paidBy) ?? "farm";
      await evidence.send((fileId) => add({ ...values, paidBy, fileId }));
      toast.success(texts.costAdded);
      onClose();
      await refetch();
    },
  });
  const { form } = sent;
  return (
    <DialogFields sent={sent} submitLabel="Add cost" isSendingFile={evidence.share !== null} onCancel={onClose}>
      {payerWords && <p>{payerWords}</p>}
      <NativeSelect
        label="Cost"
        description="As the terms of the round name them; any other is the farm's"
        data={[...labels]}
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
      {!payerWords && (
        <NativeSelect
          label="Who paid it"
          description={
            onlyPlatform
              ? "Nothing of it is sold, so the farm gets nothing back"
              : "The farm gets back what it paid, once another owner has confirmed it"
          }
          data={payers.map((value) => ({ value, label: costPayerLabels[value] }))}
          {...form.getInputProps("paidBy")}
        />
      )}
      <EvidenceField label="Evidence" evidence={evidence} refused={form.errors.fileId} />
    </DialogFields>
  );
}
