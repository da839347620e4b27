import "#client/ui/mantine/fields.css";
import { NativeSelect, TextInput } from "@mantine/core";
import { faultsOf } from "#client/lib/faults.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { saleForm, saleQuantityForm } from "#shared/harvests/inputs.ts";
import { type HarvestPool, harvestPools, harvestTexts, harvestLimits as limits } from "#shared/harvests/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { unitLabels } from "#shared/projects/terms-texts.ts";
import { DialogFields, useDialogForm } from "./form-dialog.tsx";
import { type Harvest, type HarvestProps, takesAdvances, useRefetchHarvests } from "./harvest-data.ts";

/** The forms that write a sale down. */

export const poolLabels: Record<HarvestPool, string> = {
  sold: "What was sold when it was shared out",
  uncollected: "What nobody collected",
};

const quantityLabel = ({ unit }: HarvestProps["round"]) => `Quantity, in ${unitLabels[unit].many}`;

/** A sale, an advance of a buyer while backers still choose, or a further payment for what was sold. */
export function AddSale({ harvest, round, onClose }: HarvestProps & { onClose: () => void }) {
  const refetch = useRefetchHarvests();
  const add = trpc.harvests.addSale.useMutation();
  const { isInsurance, parts, sales } = harvest;
  const isAdvance = takesAdvances(harvest);
  const hasUncollected = parts.uncollected > 0;
  const mayPayMore = !isInsurance && sales.some(({ quantity }) => quantity !== null);
  const sent = useDialogForm<{ buyer: string; quantity: string; amount: string; pool: string; what: string }>({
    initialValues: {
      buyer: isInsurance ? (round.insurance?.insurer ?? "") : "",
      quantity: "",
      amount: "",
      pool: "sold",
      what: isAdvance ? "payment" : "sale",
    },
    check: (values) => {
      const faults = faultsOf(saleForm, values);
      const isMeasured = !isInsurance && values.what === "sale";
      if (isMeasured && values.quantity.trim() === "") faults.quantity = harvestTexts.quantityMissing;
      return faults;
    },
    send: async ({ what, ...values }) => {
      const pool = harvestPools.find((one) => one === values.pool) ?? "sold";
      const isWithoutQuantity = !isInsurance && what === "payment";
      const quantity = isWithoutQuantity ? "" : values.quantity;
      const sold = { ...values, quantity, pool, harvestId: harvest.id };
      await add.mutateAsync({ ...sold, ...(isWithoutQuantity && { isWithoutQuantity }) });
      toast.success(texts.saleAdded);
      onClose();
      await refetch();
    },
  });
  const { form } = sent;
  const isFurther = form.values.what === "payment";
  const submitLabel = isInsurance ? "Add sum" : isAdvance ? "Add advance" : isFurther ? "Add payment" : "Add sale";
  return (
    <DialogFields sent={sent} submitLabel={submitLabel} onCancel={onClose}>
      {isAdvance && (
        <p>
          It waits until the harvest is shared out. Then its quantity is written down, and its money is settled with the
          other sales. Only a bank line shows that it came.
        </p>
      )}
      {mayPayMore && (
        <NativeSelect
          label="What it is"
          description="A further payment is for what was sold before, and is shared by the same weights"
          data={[
            { value: "sale", label: "A sale" },
            { value: "payment", label: "A further payment" },
          ]}
          {...form.getInputProps("what")}
        />
      )}
      <TextInput
        label={isInsurance ? "Insurer" : "Buyer"}
        maxLength={limits.buyer}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("buyer")}
      />
      {!isInsurance && form.values.what === "sale" && (
        <TextInput
          label={quantityLabel(round)}
          inputMode="decimal"
          autoComplete="off"
          {...form.getInputProps("quantity")}
        />
      )}
      <TextInput
        label="Amount"
        description="Everything that is to be paid for it"
        leftSection="₦"
        inputMode="decimal"
        autoComplete="off"
        {...form.getInputProps("amount")}
      />
      {hasUncollected && (
        <NativeSelect
          label="What was sold"
          description="Its money goes to those whose part it was"
          data={harvestPools.map((value) => ({ value, label: poolLabels[value] }))}
          {...form.getInputProps("pool")}
        />
      )}
    </DialogFields>
  );
}

type SaleQuantityProps = Pick<HarvestProps, "round"> & { sale: Harvest["sales"][number]; onClose: () => void };

/** How much an advance turned out to be for. */
export function SaleQuantity({ sale, round, onClose }: SaleQuantityProps) {
  const refetch = useRefetchHarvests();
  const set = trpc.harvests.setSaleQuantity.useMutation();
  const sent = useDialogForm({
    initialValues: { quantity: "" },
    check: (values) => faultsOf(saleQuantityForm, values),
    send: async ({ quantity }) => {
      await set.mutateAsync({ saleId: sale.id, quantity });
      toast.success(texts.saleQuantitySet);
      onClose();
      await refetch();
    },
  });
  return (
    <DialogFields sent={sent} submitLabel="Save quantity" onCancel={onClose}>
      <p>
        How much {sale.buyer} gets for the {formatNaira(sale.amountKobo)}. It counts as sold from then on.
      </p>
      <TextInput
        label={quantityLabel(round)}
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        {...sent.form.getInputProps("quantity")}
      />
    </DialogFields>
  );
}
