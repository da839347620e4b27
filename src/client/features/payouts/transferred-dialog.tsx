import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Modal, Textarea, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useState } from "react";
import { z } from "zod";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { formatNairaExact } from "#shared/money.ts";
import { transferredFields } from "#shared/second-person/inputs.ts";
import { reasonInput } from "#shared/second-person/reason.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { payeeOf } from "./payout-cells.tsx";
import classes from "./payouts.module.css";
import type { Payout } from "./payouts-search.ts";

const schema = z.object({ ...transferredFields, ...reasonInput.shape });

/** A refund that somebody transferred by hand before there were payouts: one owner says when, another confirms. */
export default function TransferredDialog({ payout, onClose }: { payout: Payout; onClose: () => void }) {
  const ask = useAskSecondPerson();
  const [isPending, setIsPending] = useState(false);
  const form = useForm({
    initialValues: { paidOn: "", evidence: "", reason: "" },
    validate: schemaResolver(schema, { sync: true }),
  });
  const { problem, refuse, forgetProblem } = useRefusal(form, false);
  const submit = form.onSubmit(async ({ reason, ...seen }) => {
    if (isPending) return;
    setIsPending(true);
    forgetProblem();
    try {
      await ask.mutateAsync({ kind: "refund_transferred", details: { payoutId: payout.id, ...seen }, reason });
      onClose();
    } catch (error) {
      refuse(error);
    }
    setIsPending(false);
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${formatNairaExact(payout.amountKobo)} for ${payeeOf(payout)} was transferred already`}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <p>Once another owner confirms it, nothing of it is owed any more, and {payeeOf(payout)} is told the day.</p>
        {problem && <Notice tone="negative" isAlert title={problem} />}
        <TextInput label="Day of the transfer" type="date" data-autofocus {...form.getInputProps("paidOn")} />
        <TextInput
          label="Session ID, or the line of the statement"
          description="As the bank shows it, so that the other owner finds it."
          maxLength={200}
          {...form.getInputProps("evidence")}
        />
        <Textarea
          label="Reason"
          description={`At least ${secondPersonLimits.reasonMin} characters: how you know that it was this refund.`}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={secondPersonLimits.reasonMax}
          {...form.getInputProps("reason")}
        />
        <ButtonRow>
          <Button type="submit" loading={isPending}>
            Send to another owner
          </Button>
          <Button variant="default" disabled={isPending} onClick={onClose}>
            Cancel
          </Button>
        </ButtonRow>
      </form>
    </Modal>
  );
}
