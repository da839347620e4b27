import "#client/ui/mantine/fields.css";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRef, useState } from "react";
import type { z } from "zod";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { OwnProof, type ProofWanted } from "#client/ui/forms/own-proof.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { accountTexts } from "#shared/account-texts.ts";
import { codeOf, nigerianBanks } from "#shared/nigerian-banks.ts";
import { checkPayeeAccountInput, payeeAccountFields } from "#shared/payee-accounts.ts";
import { payeeAccountTexts, ownMoneyTexts as texts } from "#shared/payee-accounts-texts.ts";
import { twoFactorTexts } from "#shared/two-factor-texts.ts";
import classes from "./my-money.module.css";

const banks = [
  { value: "", label: "Choose a bank" },
  ...nigerianBanks.map((bank) => ({ value: codeOf(bank), label: bank.name })),
];

const faultOf = (field: z.ZodType) => (value: string) => field.safeParse(value).error?.issues[0]?.message ?? null;

type Unusual = RouterOutputs["payeeAccounts"]["check"];
type AccountFormProps = { proof: ProofWanted; onDone: () => void; onCancel?: () => void };

/**
 * Gives the account that one's money goes to. What is unusual about it is said once; who sends the same again means it. What
 * was typed survives a refusal.
 */
export function AccountForm({ proof, onDone, onCancel }: AccountFormProps) {
  const utils = trpc.useUtils();
  const [isPending, setIsPending] = useState(false);
  const [warned, setWarned] = useState<{ of: string; unusual: Unusual } | null>(null);
  const form = useForm({
    initialValues: { bankCode: "", accountNumber: "", accountName: "", currentPassword: "", code: "" },
    validate: {
      bankCode: faultOf(payeeAccountFields.bankCode),
      accountNumber: faultOf(payeeAccountFields.accountNumber),
      accountName: faultOf(payeeAccountFields.accountName),
      currentPassword: (text) => (proof.hasPassword && text === "" ? accountTexts.passwordMissing : null),
      code: (text) => (proof.isCodeAsked && text.trim() === "" ? twoFactorTexts.codeMissing : null),
    },
  });
  const { problem, refuse, forgetProblem } = useRefusal(form, proof.hasPassword);
  const set = trpc.payeeAccounts.set.useMutation();
  const element = useRef<HTMLFormElement>(null);
  const focusField = (name?: string) =>
    name && element.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  const nameOf = (account: object) => JSON.stringify(account);
  const { currentPassword: _, code: __, ...typed } = form.values;
  const shownWarning = warned?.of === nameOf(typed) ? warned.unusual : null;

  const save = async ({ currentPassword, code, ...values }: typeof form.values) => {
    const account = checkPayeeAccountInput.parse(values);
    if (!shownWarning) {
      const unusual = await utils.payeeAccounts.check.fetch(account, { staleTime: 0 });
      if (unusual.isNameUnlike || unusual.isNumberUnusual) return setWarned({ of: nameOf(values), unusual });
    }
    const given = { ...(proof.hasPassword && { currentPassword }), ...(proof.isCodeAsked && { code }) };
    await set.mutateAsync({ ...account, ...given });
    toast.success(payeeAccountTexts.saved);
    await utils.payeeAccounts.mine.invalidate();
    onDone();
  };

  return (
    <form
      ref={element}
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit(
        async (values) => {
          if (isPending) return;
          setIsPending(true);
          forgetProblem();
          await save(values).catch((error: unknown) => focusField(refuse(error)));
          setIsPending(false);
        },
        (errors) => focusField(Object.keys(errors)[0]),
      )}
    >
      <NativeSelect label="Bank" name="bankCode" data={banks} {...form.getInputProps("bankCode")} />
      <TextInput
        label="Account number"
        description="10 digits"
        name="accountNumber"
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps("accountNumber")}
      />
      <TextInput
        label="Account name"
        description="As your bank writes it."
        name="accountName"
        autoComplete="off"
        {...form.getInputProps("accountName")}
      />
      <OwnProof account={proof} form={form} />
      <p className={classes.fine}>{texts.rest}</p>
      {shownWarning && (
        <Notice tone="caution" isAlert title="Please look at it again">
          {shownWarning.isNumberUnusual && <p>{payeeAccountTexts.checkDigit}</p>}
          {shownWarning.isNameUnlike && <p>{payeeAccountTexts.ownNameUnlike}</p>}
        </Notice>
      )}
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <ButtonRow>
        <Button type="submit" loading={isPending}>
          {shownWarning ? "Use it anyway" : "Save account"}
        </Button>
        {onCancel && (
          <Button variant="default" onClick={onCancel} disabled={isPending}>
            Cancel
          </Button>
        )}
      </ButtonRow>
    </form>
  );
}
