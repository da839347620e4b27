import { Button, Stack } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useEffect, useId, useRef, useState } from "react";
import { errorReason, errorText, fieldErrors } from "#client/lib/errors.ts";
import { takeLink } from "#client/lib/mailed-link.ts";
import { useForgetSession } from "#client/lib/session/forget-session.ts";
import { useLeaveSession } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { PasswordField, PasswordStrength } from "#client/ui/forms/password-field.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { authTexts, resetPasswordForm } from "#shared/accounts/inputs.ts";
import { AuthCard, Notice } from "./auth-card.tsx";

/** Between the success and the sign-in page (Product decision). */
const LEAVE_AFTER_MS = 1000;

/** The page of a mailed reset link: a new password, and then the sign-in page. */
export function ResetPassword() {
  const [token, setToken] = useState<string | null>();
  const [isInvalid, setIsInvalid] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const forgetSession = useForgetSession();
  const leave = useLeaveSession();

  const isTaken = useRef(false);
  useEffect(() => {
    if (isTaken.current) return;
    isTaken.current = true;
    const link = takeLink();
    setToken(link?.type === "recovery" ? link.token : null);
  }, []);

  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => void leave("/login"), LEAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isDone, leave]);

  if (token === null || isInvalid) {
    return (
      <ErrorState
        level={1}
        title={authTexts.resetInvalidTitle}
        text={authTexts.resetInvalid}
        action={<LinkButton to="/forgot-password">Try Again</LinkButton>}
      />
    );
  }
  if (token === undefined) {
    return (
      <Loading label="Opening your reset link">
        <SkeletonText lines={3} />
      </Loading>
    );
  }
  if (isDone) return <AuthCard title="All set" text="We are taking you to the sign-in page." />;
  const finish = () => {
    toast.success(authTexts.resetDoneTitle, authTexts.resetDone);
    forgetSession();
    setIsDone(true);
  };
  return (
    <AuthCard title="Choose a new password" text="You will be signed out everywhere and can sign in with it.">
      <NewPasswordForm token={token} onReset={finish} onInvalid={() => setIsInvalid(true)} />
    </AuthCard>
  );
}

type NewPasswordFormProps = {
  /** The token of the mailed link. */
  token: string;
  onReset: () => void;
  /** The link doesn't work, or no longer. */
  onInvalid: () => void;
};

/** A new password, typed twice. What was typed survives every refusal. */
function NewPasswordForm({ token, onReset, onInvalid }: NewPasswordFormProps) {
  const strengthId = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    initialValues: { password: "", confirmPassword: "" },
    validate: schemaResolver(resetPasswordForm, { sync: true }),
  });
  const focusFirst = (errors: Record<string, unknown>) => {
    const field = ["password", "confirmPassword"].find((name) => errors[name] !== undefined);
    if (field) form.getInputNode(field)?.focus();
  };
  const reset = trpc.auth.resetPassword.useMutation({
    onSuccess: onReset,
    onError: (error) => {
      if (errorText(error) === authTexts.resetInvalid) return onInvalid();
      const faults = fieldErrors(error);
      form.setErrors(faults);
      focusFirst(faults);
      if (Object.keys(faults).length > 0) return;
      setProblem(errorReason(error) === "internal" ? authTexts.resetFailed : errorText(error));
    },
  });
  const isWaiting = reset.isPending || reset.isSuccess;

  const submit = form.onSubmit(({ password }) => {
    if (isWaiting) return;
    setProblem(null);
    reset.mutate({ token, password });
  }, focusFirst);

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {problem && (
          <Notice>
            <p>{problem}</p>
          </Notice>
        )}
        <PasswordField
          label="New Password"
          name="password"
          autoComplete="new-password"
          aria-describedby={strengthId}
          {...form.getInputProps("password")}
        />
        <PasswordStrength password={form.values.password} id={strengthId} />
        <PasswordField
          label="Confirm Password"
          name="confirmPassword"
          autoComplete="new-password"
          {...form.getInputProps("confirmPassword")}
        />
        <Button type="submit" fullWidth aria-disabled={isWaiting || undefined}>
          {isWaiting ? "Resetting..." : "Reset Password"}
        </Button>
      </Stack>
    </form>
  );
}
