import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { OpenDialog } from "#client/ui/feedback/open-dialog.tsx";
import "#client/ui/mantine/fields.css";
import { Button, Textarea, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useState } from "react";
import { z } from "zod";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { formatNairaExact } from "#shared/money.ts";
import { paidByHandFields } from "#shared/payouts/inputs.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { payeeOf, referenceOf } from "./payout-cells.tsx";
import classes from "./payouts.module.css";
import type { Payout } from "./payouts-search.ts";

type SentDialogProps = { payout: Payout; act: "paid" | "failed"; onClose: () => void };

/** Lets an owner mark a payout that no statement shows as paid, or declare it as failed. */
export default function SentDialog({ payout, act, onClose }: SentDialogProps) {
  const what = `${formatNairaExact(payout.amountKobo)} for ${payeeOf(payout)}`;
  return (
    <OpenDialog onClose={onClose} title={act === "paid" ? `Mark ${what} as paid` : `Declare ${what} as failed`}>
      {act === "paid" ? (
        <PaidForm payout={payout} onClose={onClose} />
      ) : (
        <FailedForm payout={payout} onClose={onClose} />
      )}
    </OpenDialog>
  );
}

type FormProps = { payout: Payout; onClose: () => void };

const paidSchema = z.object(paidByHandFields);

function PaidForm({ payout, onClose }: FormProps) {
  const utils = trpc.useUtils();
  const mark = trpc.payouts.markPaid.useMutation();
  const [isPending, setIsPending] = useState(false);
  const form = useForm({
    initialValues: { sessionId: "", reason: "" },
    validate: schemaResolver(paidSchema, { sync: true }),
  });
  const { problem, refuse, forgetProblem } = useRefusal(form, false);
  const submit = form.onSubmit(async (values) => {
    if (isPending) return;
    setIsPending(true);
    forgetProblem();
    try {
      await mark.mutateAsync({ payoutId: payout.id, ...values });
      toast.success(texts.paid);
      onClose();
      await utils.payouts.invalidate();
    } catch (error) {
      refuse(error);
    }
    setIsPending(false);
  });
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p>
        Only if you have seen at the bank that {referenceOf(payout)} left. Whoever gets the money is told. Once
        statements are imported, the line of the statement still has to come.
      </p>
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <TextInput
        label="Session ID of the transfer"
        description="30 digits, as the bank shows them."
        inputMode="numeric"
        maxLength={60}
        data-autofocus
        {...form.getInputProps("sessionId")}
      />
      <Textarea
        label="Reason"
        description={`At least ${secondPersonLimits.reasonMin} characters: where you have seen it.`}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={secondPersonLimits.reasonMax}
        {...form.getInputProps("reason")}
      />
      <ButtonRow>
        <Button type="submit" loading={isPending}>
          Mark as paid
        </Button>
        <Button variant="default" disabled={isPending} onClick={onClose}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
}

function FailedForm({ payout, onClose }: FormProps) {
  const ask = useAskSecondPerson();
  return (
    <ReasonForm
      description={`At least ${secondPersonLimits.reasonMin} characters. Nothing happens before another owner confirms.`}
      submitLabel="Send to another owner"
      isDangerous
      onSubmit={async (reason) => {
        await ask.mutateAsync({ kind: "fail_payout", details: { payoutId: payout.id }, reason });
        onClose();
      }}
      onCancel={onClose}
    >
      <p>
        No statement shows {referenceOf(payout)} leaving. Its sum is owed again, and a payout with a new reference takes
        its place. If the bank did send it, it would be paid twice: please make sure with the bank first.
      </p>
    </ReasonForm>
  );
}
