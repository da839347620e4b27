import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRef, useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { AccountFields, accountRules } from "#client/ui/forms/account-fields.tsx";
import { OwnProof, type ProofWanted } from "#client/ui/forms/own-proof.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { accountTexts } from "#shared/account-texts.ts";
import { checkPayeeAccountInput } from "#shared/payee-accounts.ts";
import { payeeAccountTexts, ownMoneyTexts as texts } from "#shared/payee-accounts-texts.ts";
import { twoFactorTexts } from "#shared/two-factor-texts.ts";
import classes from "./my-money.module.css";

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
      ...accountRules,
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
      <AccountFields form={form} />
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
