import "#client/ui/mantine/fields.css";
import { Button, Stack, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useState } from "react";
import { errorText, fieldErrors } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { PasswordField } from "#client/ui/forms/password-field.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { authTexts, confirmLinkHours, correctSignUpInput } from "#shared/accounts/inputs.ts";
import classes from "./auth-card.module.css";
import { AuthCard, Notice } from "./auth-card.tsx";

type SignUpSentProps = {
  email: string;
  /** A path of ours that the person was going to. */
  next: string | undefined;
  /** The account has another address now, which the link was sent to. */
  onCorrected: (email: string) => void;
  /** Back to an empty form. */
  onStartOver: () => void;
};

/** After a sign-up that has to be confirmed: where the link went, and what to do if it doesn't come. */
export function SignUpSent({ email, next, onCorrected, onStartOver }: SignUpSentProps) {
  const [isCorrecting, setIsCorrecting] = useState(false);
  const resend = trpc.auth.resendConfirmation.useMutation();
  const correct = (corrected: string) => {
    resend.reset();
    setIsCorrecting(false);
    onCorrected(corrected);
  };
  return (
    <AuthCard
      title="Check your email"
      text={
        <span role="status">
          {authTexts.checkEmail} We have sent a link to <strong className={classes.address}>{email}</strong>: it works
          for {confirmLinkHours} hours. Nothing there? Look among the spam, too.
        </span>
      }
      footer={
        <>
          Confirmed it?{" "}
          <TextLink to="/login" search={next === undefined ? {} : { next }}>
            Sign in
          </TextLink>
        </>
      }
    >
      {isCorrecting ? (
        <CorrectAddress email={email} next={next} onCorrected={correct} onCancel={() => setIsCorrecting(false)} />
      ) : (
        <Stack gap="sm">
          <Button fullWidth loading={resend.isPending} onClick={() => resend.mutate({ email, next })}>
            Send the link again
          </Button>
          {resend.isSuccess && (
            <p className={classes.told} role="status">
              {authTexts.confirmationResent}
            </p>
          )}
          {resend.error && (
            <p className={classes.fault} role="alert">
              The link was not sent. {errorText(resend.error)}
            </p>
          )}
          <Button fullWidth variant="default" onClick={() => setIsCorrecting(true)}>
            Correct the address
          </Button>
          <Button variant="subtle" size="sm" onClick={onStartOver}>
            Make another account
          </Button>
        </Stack>
      )}
    </AuthCard>
  );
}

type CorrectAddressProps = {
  email: string;
  next: string | undefined;
  onCorrected: (email: string) => void;
  onCancel: () => void;
};

function CorrectAddress({ email, next, onCorrected, onCancel }: CorrectAddressProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    initialValues: { email, newEmail: email, password: "" },
    validate: schemaResolver(correctSignUpInput, { sync: true }),
  });
  const focusFirst = (errors: Record<string, unknown>) => {
    const field = ["newEmail", "password"].find((name) => errors[name] !== undefined);
    if (field) form.getInputNode(field)?.focus();
  };
  const correction = trpc.auth.correctSignUp.useMutation({
    onSuccess: (_, { newEmail }) => onCorrected(newEmail),
    onError: (error) => {
      const text = errorText(error);
      const faults = text === authTexts.linkPasswordWrong ? { password: text } : fieldErrors(error);
      form.setErrors(faults);
      focusFirst(faults);
      setProblem(Object.keys(faults).length > 0 ? null : text);
    },
  });
  const submit = form.onSubmit((values) => {
    if (correction.isPending) return;
    setProblem(null);
    correction.mutate({ ...correctSignUpInput.parse(values), next });
  }, focusFirst);
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {problem && (
          <Notice key={problem}>
            <p>{problem}</p>
          </Notice>
        )}
        {/* The button that had the focus is gone: the keyboard goes on here. */}
        <TextInput
          label="Right email"
          type="email"
          name="email"
          autoComplete="email"
          autoFocus
          {...form.getInputProps("newEmail")}
        />
        <PasswordField
          label="Password"
          description="The one that you have just chosen: it shows that the account is yours."
          name="password"
          autoComplete="current-password"
          {...form.getInputProps("password")}
        />
        <ButtonRow>
          <Button type="submit" aria-disabled={correction.isPending || undefined}>
            {correction.isPending ? "Sending..." : "Send the link there"}
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </ButtonRow>
      </Stack>
    </form>
  );
}
