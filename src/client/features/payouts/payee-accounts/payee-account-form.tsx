import { faultsOf } from "#client/lib/faults.ts";
import "#client/ui/mantine/fields.css";
import { Button, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReactNode, useRef, useState } from "react";
import { useRefusal } from "#client/lib/use-refusal.ts";
import classes from "#client/shared-parts/own-proof.module.css";
import { OwnProof, type ProofWanted } from "#client/shared-parts/own-proof.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { accountTexts } from "#shared/accounts/texts.ts";
import { twoFactorTexts } from "#shared/accounts/two-factor-texts.ts";
import { isNumberUnusual } from "#shared/bank/nigerian-banks.ts";
import { checkPayeeAccountInput } from "#shared/payouts/payee-accounts.ts";
import { payeeAccountTexts } from "#shared/payouts/payee-accounts-texts.ts";
import { reasonInput } from "#shared/second-person/reason.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { AccountFields, accountRules } from "./account-fields.tsx";

type Account = { bankCode: string; accountNumber: string; accountName: string };

type PayeeAccountFormProps = {
  label?: string;
  /** Notes before the fields, and after them. */
  head?: ReactNode;
  note: ReactNode;
  /** The account is given with one's own proof, or with a reason that a second person reads. */
  asks: ProofWanted | "reason";
  submitLabel?: string;
  /** Returns unusual facts about the account, in sentences. */
  look?: (account: Account) => Promise<string[]>;
  /** Resolves when it is done; a refusal is shown here. The proof is empty where a reason is asked for. */
  onSubmit: (given: {
    account: Account;
    proof: { currentPassword?: string; code?: string };
    reason: string;
  }) => Promise<unknown>;
  onCancel?: (() => void) | undefined;
};

const lookAtNumber = async (account: Account): Promise<string[]> =>
  isNumberUnusual(account) ? [payeeAccountTexts.checkDigit] : [];

/**
 * Asks for the account that somebody's money goes to. Unusual facts about it are shown once; sending the same again
 * confirms it. A refusal keeps the form's content.
 */
export function PayeeAccountForm(props: PayeeAccountFormProps) {
  const { label, head, note, asks, submitLabel = "Save account", look = lookAtNumber, onSubmit, onCancel } = props;
  const proof = asks === "reason" ? { hasPassword: false, isCodeAsked: false } : asks;
  const [isPending, setIsPending] = useState(false);
  const [warned, setWarned] = useState<{ of: string; unusual: string[] } | null>(null);
  const form = useForm({
    initialValues: { bankCode: "", accountNumber: "", accountName: "", currentPassword: "", code: "", reason: "" },
    validate: {
      ...accountRules,
      currentPassword: (text) => (proof.hasPassword && text === "" ? accountTexts.passwordMissing : null),
      code: (text) => (proof.isCodeAsked && text.trim() === "" ? twoFactorTexts.codeMissing : null),
      reason: (reason) => (asks === "reason" ? (faultsOf(reasonInput, { reason }).reason ?? null) : null),
    },
  });
  const { problem, refuse, forgetProblem } = useRefusal(form, proof.hasPassword);
  const element = useRef<HTMLFormElement>(null);
  const focusField = (name?: string) =>
    name && element.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  const nameOf = ({ bankCode, accountNumber, accountName }: Account) =>
    JSON.stringify([bankCode, accountNumber, accountName]);
  const unusual = warned?.of === nameOf(form.values) ? warned.unusual : [];

  const save = async ({ currentPassword, code, reason, ...typed }: typeof form.values) => {
    const account = checkPayeeAccountInput.parse(typed);
    if (unusual.length === 0) {
      const found = await look(account);
      if (found.length > 0) return setWarned({ of: nameOf(typed), unusual: found });
    }
    const given = { ...(proof.hasPassword && { currentPassword }), ...(proof.isCodeAsked && { code }) };
    await onSubmit({ account, proof: given, reason });
  };

  return (
    <form
      ref={element}
      className={classes.form}
      noValidate
      aria-label={label}
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
      {head}
      <AccountFields form={form} />
      {asks === "reason" ? (
        <Textarea
          label="Reason"
          name="reason"
          description={`At least ${secondPersonLimits.reasonMin} characters: how you know it.`}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={secondPersonLimits.reasonMax}
          {...form.getInputProps("reason")}
        />
      ) : (
        <OwnProof account={asks} form={form} />
      )}
      <p className={classes.note}>{note}</p>
      {unusual.length > 0 && (
        <Notice tone="caution" isAlert title="Please look at it again">
          {unusual.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Notice>
      )}
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <ButtonRow>
        <Button type="submit" loading={isPending}>
          {unusual.length > 0 ? "Use it anyway" : submitLabel}
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
