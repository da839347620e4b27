import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { PasswordField } from "#client/ui/forms/password-field.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { accountTexts, freshSignInMinutes } from "#shared/accounts/texts.ts";
import { twoFactorTexts } from "#shared/accounts/two-factor-texts.ts";
import classes from "./own-proof.module.css";

/** The proof that the account is asked for; see users.account. */
export type ProofWanted = { hasPassword: boolean; isCodeAsked: boolean };

/** The part of a Mantine form that these two fields need. */
type ProofFields = { getInputProps(field: "currentPassword" | "code"): object };

type OwnProofProps = { account: ProofWanted; form: ProofFields; hasFocus?: boolean };

/** Asks for the password the account has, or says what takes its place, and for a code where it has a second factor. */
export function OwnProof({ account: { hasPassword, isCodeAsked }, form, hasFocus = false }: OwnProofProps) {
  return (
    <>
      {hasPassword ? (
        <PasswordField
          label="Current Password"
          name="currentPassword"
          autoComplete="current-password"
          data-autofocus={hasFocus || undefined}
          {...form.getInputProps("currentPassword")}
        />
      ) : (
        <p>
          Your account has no password yet. To do this, you must have signed in less than {freshSignInMinutes} minutes
          ago.
        </p>
      )}
      {isCodeAsked && (
        <TextInput
          label="Code from the app"
          description="Or one of your recovery codes."
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          data-autofocus={(hasFocus && !hasPassword) || undefined}
          {...form.getInputProps("code")}
        />
      )}
    </>
  );
}

export type ProofFormProps = {
  account: ProofWanted;
  children: ReactNode;
  submitLabel: string;
  isDangerous?: boolean;
  /** Resolves when it is done; a refusal is shown here. */
  onSubmit: (proof: { currentPassword?: string; code?: string }) => Promise<unknown>;
  onCancel: () => void;
};

/** Asks who is there before something is done to the account. What was typed survives a refusal. */
export function ProofForm(props: ProofFormProps) {
  const { account, children, submitLabel, isDangerous, onSubmit, onCancel } = props;
  const [isPending, setIsPending] = useState(false);
  const form = useForm({
    initialValues: { currentPassword: "", code: "" },
    validate: {
      currentPassword: (text) => (account.hasPassword && text === "" ? accountTexts.passwordMissing : null),
      code: (text) => (account.isCodeAsked && text.trim() === "" ? twoFactorTexts.codeMissing : null),
    },
  });
  const { problem, refuse, forgetProblem } = useRefusal(form, account.hasPassword);
  const element = useRef<HTMLFormElement>(null);
  const focusField = (name?: string) =>
    element.current?.querySelector<HTMLInputElement>(name ? `input[name="${name}"]` : "input")?.focus();
  useEffect(() => element.current?.querySelector<HTMLInputElement>("input")?.focus(), []);
  const submit = form.onSubmit(
    async ({ currentPassword, code }) => {
      if (isPending) return;
      setIsPending(true);
      forgetProblem();
      const proof = { ...(account.hasPassword && { currentPassword }), ...(account.isCodeAsked && { code }) };
      await onSubmit(proof).catch((error: unknown) => focusField(refuse(error)));
      setIsPending(false);
    },
    (errors) => focusField(Object.keys(errors)[0]),
  );
  return (
    <form ref={element} className={classes.form} noValidate onSubmit={submit}>
      {children}
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <OwnProof account={account} form={form} hasFocus />
      <ButtonRow>
        <Button type="submit" color={isDangerous ? "red" : undefined} loading={isPending}>
          {submitLabel}
        </Button>
        <Button variant="default" onClick={onCancel} disabled={isPending}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
}
