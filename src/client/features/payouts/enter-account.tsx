import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Modal, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useState } from "react";
import { z } from "zod";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { codeOf, findBank, hasCheckDigit, nigerianBanks } from "#shared/nigerian-banks.ts";
import { payeeAccountFields } from "#shared/payee-accounts.ts";
import { payeeAccountLimits, payeeAccountTexts } from "#shared/payee-accounts-texts.ts";
import { reasonInput } from "#shared/second-person.ts";
import { secondPersonLimits, secondPersonTexts } from "#shared/second-person-texts.ts";
import { payeeOf } from "./payout-cells.tsx";
import classes from "./payouts.module.css";
import type { Payout } from "./payouts-search.ts";

const schema = z.object({ ...payeeAccountFields, ...reasonInput.shape });
const banks = nigerianBanks.map((bank) => ({ value: codeOf(bank), label: bank.name }));

/** Where money goes of somebody who can't say so themselves: one owner enters it, another confirms. */
export default function EnterAccount({ payout, onClose }: { payout: Payout; onClose: () => void }) {
  const utils = trpc.useUtils();
  const ask = trpc.secondPerson.ask.useMutation({ onSettled: () => utils.secondPerson.list.invalidate() });
  const [isPending, setIsPending] = useState(false);
  const form = useForm({
    initialValues: { bankCode: "", accountNumber: "", accountName: "", reason: "" },
    validate: schemaResolver(schema, { sync: true }),
  });
  const { problem, refuse, forgetProblem } = useRefusal(form, false);
  const { bankCode, accountNumber } = form.values;
  const bank = findBank(bankCode);
  const digits = accountNumber.replace(/[\s-]/g, "");
  const isUnusual = bank !== undefined && /^\d{10}$/.test(digits) && !hasCheckDigit(bank, digits);
  const submit = form.onSubmit(async ({ reason, ...account }) => {
    if (isPending || payout.userId === null) return;
    setIsPending(true);
    forgetProblem();
    try {
      await ask.mutateAsync({ kind: "enter_payee_account", details: { userId: payout.userId, ...account }, reason });
      toast.success(secondPersonTexts.asked);
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
      title={`Enter the account of ${payeeOf(payout)}`}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <p>
          They can't sign in to give it themselves. Another owner confirms what you enter, and{" "}
          {payeeAccountLimits.restHours} hours later it can be paid to.
        </p>
        {problem && <Notice tone="negative" isAlert title={problem} />}
        <NativeSelect
          label="Bank"
          data={[{ value: "", label: "Choose a bank" }, ...banks]}
          data-autofocus
          {...form.getInputProps("bankCode")}
        />
        <TextInput
          label="Account number"
          description="10 digits"
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
          {...form.getInputProps("accountNumber")}
        />
        {isUnusual && <Notice tone="caution" title={payeeAccountTexts.checkDigit} />}
        <TextInput
          label="Name of the account"
          autoComplete="off"
          maxLength={payeeAccountLimits.nameLength}
          {...form.getInputProps("accountName")}
        />
        <Textarea
          label="Reason"
          description={`At least ${secondPersonLimits.reasonMin} characters: how you know it.`}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={secondPersonLimits.reasonMax}
          {...form.getInputProps("reason")}
        />
        <ButtonRow>
          <Button type="submit" loading={isPending}>
            Ask for a second person
          </Button>
          <Button variant="default" disabled={isPending} onClick={onClose}>
            Cancel
          </Button>
        </ButtonRow>
      </form>
    </Modal>
  );
}
