import "#client/ui/mantine/fields.css";
import { Textarea, TextInput } from "@mantine/core";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { faultsOf } from "#client/lib/faults.ts";
import { saleAmountForm } from "#shared/harvests/inputs.ts";
import { formatNaira, MAX_SALE_KOBO, parseNaira } from "#shared/money.ts";
import { reasonInput } from "#shared/second-person/reason.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { DialogFields, ReasonDialog, useDialogForm } from "./form-dialog.tsx";
import { type Harvest, useRefetchHarvests } from "./harvest-data.ts";

type Sale = Harvest["sales"][number];

/** Asks another owner to confirm that a buyer pays another amount than was typed. */
export function ChangeSale({ sale, onClose }: { sale: Sale; onClose: () => void }) {
  const refetch = useRefetchHarvests();
  const ask = useAskSecondPerson(refetch);
  const sent = useDialogForm({
    initialValues: { amount: "", reason: "" },
    check: (values) => ({ ...faultsOf(saleAmountForm, values), ...faultsOf(reasonInput, values) }),
    send: async ({ amount, reason }) => {
      const amountKobo = String(parseNaira(amount, MAX_SALE_KOBO));
      const details = { saleId: sale.id, amountKobo, seenKobo: String(sale.amountKobo) };
      await ask.mutateAsync({ kind: "change_sale", details, reason });
      onClose();
    },
  });
  const { form } = sent;
  return (
    <DialogFields sent={sent} submitLabel="Send to another owner" onCancel={onClose}>
      <p>
        {formatNaira(sale.amountKobo)} is written down. Nothing changes before another owner confirms it. Where a bank
        line shows more already, match that line with the sale: its amount rises by itself.
      </p>
      <TextInput
        label="New amount"
        description="Everything that is to be paid for it"
        leftSection="₦"
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("amount")}
      />
      <Textarea
        label="Reason"
        description={`The other owner reads it. At least ${secondPersonLimits.reasonMin} characters.`}
        autosize
        minRows={3}
        maxRows={8}
        maxLength={secondPersonLimits.reasonMax}
        {...form.getInputProps("reason")}
      />
    </DialogFields>
  );
}

/** Asks another owner to confirm that money which the bank took back won't come again. */
export function LoseSale({ sale, onClose }: { sale: Sale | null; onClose: () => void }) {
  const refetch = useRefetchHarvests();
  const ask = useAskSecondPerson(refetch);
  return (
    <ReasonDialog
      opened={sale !== null}
      title={sale ? `Book money of ${sale.buyer} as a loss` : ""}
      description="The other owner reads it."
      submitLabel="Send to another owner"
      onSubmit={async (reason) => {
        if (!sale) return;
        const details = { saleId: sale.id, amountKobo: String(sale.receivableKobo) };
        await ask.mutateAsync({ kind: "lose_sale", details, reason });
        onClose();
      }}
      onClose={onClose}
    >
      {sale && (
        <p>
          The bank took {formatNaira(sale.receivableKobo)} back after it was settled. What the farm and its backers got
          stays theirs, so it is the platform's loss. Nothing happens before another owner confirms it.
        </p>
      )}
    </ReasonDialog>
  );
}
