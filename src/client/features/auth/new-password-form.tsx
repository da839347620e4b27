import { Button, Stack } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useId, useState } from "react";
import { errorReason, errorText, fieldErrors } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { PasswordField } from "#client/ui/forms/password-field.tsx";
import { PasswordStrength } from "#client/ui/forms/password-strength.tsx";
import { authTexts, resetPasswordForm } from "#shared/auth.ts";
import { Notice } from "./auth-card.tsx";

type NewPasswordFormProps = {
  /** Of the mailed link. */
  token: string;
  onReset: () => void;
  /** The link doesn't work, or no longer. */
  onInvalid: () => void;
};

/** A new password, typed twice. What was typed survives every refusal. */
export function NewPasswordForm({ token, onReset, onInvalid }: NewPasswordFormProps) {
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
