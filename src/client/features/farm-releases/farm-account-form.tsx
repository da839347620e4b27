import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { AccountFields, accountRules } from "#client/ui/forms/account-fields.tsx";
import { OwnProof, type ProofWanted } from "#client/ui/forms/own-proof.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { accountTexts } from "#shared/account-texts.ts";
import { farmReleaseTexts as texts } from "#shared/farm-releases-texts.ts";
import { findBank, hasCheckDigit } from "#shared/nigerian-banks.ts";
import { payeeAccountTexts } from "#shared/payee-accounts-texts.ts";
import { twoFactorTexts } from "#shared/two-factor-texts.ts";
import classes from "./farm-money.module.css";

type FarmAccountFormProps = { projectId: number; onDone: () => void };

/** Says where a farm's money goes, once it is known what the owner's account is asked for. */
export function FarmAccountForm(props: FarmAccountFormProps) {
  const { data: proof, error, refetch, isFetching } = trpc.users.account.useQuery();
  if (proof) return <ProvedForm proof={proof} {...props} />;
  if (error) {
    return (
      <ErrorState
        title="This could not be loaded"
        text={errorText(error)}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    );
  }
  return (
    <Loading>
      <SkeletonText lines={4} />
    </Loading>
  );
}

/** A number that its bank doesn't usually give is said once; who sends it again means it. What was typed survives a refusal. */
function ProvedForm({ projectId, proof, onDone }: FarmAccountFormProps & { proof: ProofWanted }) {
  const utils = trpc.useUtils();
  const [isPending, setIsPending] = useState(false);
  const [warnedOf, setWarnedOf] = useState<string | null>(null);
  const form = useForm({
    initialValues: { bankCode: "", accountNumber: "", accountName: "", currentPassword: "", code: "" },
    validate: {
      ...accountRules,
      currentPassword: (text) => (proof.hasPassword && text === "" ? accountTexts.passwordMissing : null),
      code: (text) => (proof.isCodeAsked && text.trim() === "" ? twoFactorTexts.codeMissing : null),
    },
  });
  const { problem, refuse, forgetProblem } = useRefusal(form, proof.hasPassword);
  const set = trpc.farmReleases.setAccount.useMutation();
  const element = useRef<HTMLFormElement>(null);
  const focusField = (name?: string) =>
    name && element.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  const numberOf = ({ bankCode, accountNumber }: typeof form.values) => `${bankCode} ${accountNumber}`;
  const isWarned = warnedOf === numberOf(form.values);

  const save = async ({ currentPassword, code, ...account }: typeof form.values) => {
    const bank = findBank(account.bankCode);
    const isUnusual = bank !== undefined && !hasCheckDigit(bank, account.accountNumber.replace(/[\s-]/g, ""));
    if (isUnusual && !isWarned) return setWarnedOf(numberOf(form.values));
    const given = { ...(proof.hasPassword && { currentPassword }), ...(proof.isCodeAsked && { code }) };
    await set.mutateAsync({ projectId, ...account, ...given });
    toast.success(texts.accountSaved);
    await Promise.all([utils.farmReleases.invalidate(), utils.payouts.invalidate()]);
    onDone();
  };

  return (
    <form
      ref={element}
      className={classes.form}
      noValidate
      aria-label="The farm's account"
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
      <p className={classes.fine}>All owners are emailed. The account rests for two days before money goes there.</p>
      {isWarned && <Notice tone="caution" isAlert title={payeeAccountTexts.checkDigit} />}
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <ButtonRow>
        <Button type="submit" loading={isPending}>
          {isWarned ? "Use it anyway" : "Save account"}
        </Button>
        <Button variant="default" onClick={onDone} disabled={isPending}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
}
