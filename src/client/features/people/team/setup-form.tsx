import "#client/ui/mantine/fields.css";
import { Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useId, useState } from "react";
import { errorReason, errorText, fieldErrors } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { PasswordField, PasswordStrength } from "#client/ui/forms/password-field.tsx";
import { passwordFault } from "#shared/accounts/password.ts";
import { inviteTexts } from "#shared/people/team-texts.ts";

type SetupFormProps = {
  token: string;
  email: string;
  fullName: string;
  /** Called with the account made. */
  onAccepted: (answer: { needsCode: boolean }) => Promise<void>;
  /** The link no longer works, or other than it did: the page looks again. */
  onRefused: () => void;
};

const fields = ["fullName", "password"] as const;

/** Name and password of a new administrator. What was typed survives every refusal. */
export function SetupForm({ token, email, fullName, onAccepted, onRefused }: SetupFormProps) {
  const hintId = useId();
  const strengthId = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    initialValues: { fullName, password: "" },
    validate: {
      fullName: (value) => (value.trim() === "" ? "Enter your full name" : null),
      password: (value) => (value === "" ? "Choose a password" : passwordFault(value)),
    },
  });
  const focusFirst = (errors: Record<string, unknown>) => {
    const field = fields.find((name) => errors[name] !== undefined);
    if (field) form.getInputNode(field)?.focus();
  };

  const accept = trpc.team.acceptInvite.useMutation({
    onSuccess: onAccepted,
    onError: (error) => {
      const faults = fieldErrors(error);
      form.setErrors(faults);
      focusFirst(faults);
      const reason = errorReason(error);
      if (reason === "internal") toast.error(inviteTexts.setUpFailed);
      setProblem(Object.keys(faults).length > 0 || reason === "internal" ? null : errorText(error));
      if (reason === "conflict" || reason === "forbidden" || reason === "not_found") onRefused();
    },
  });
  const isWaiting = accept.isPending || accept.isSuccess;

  const submit = form.onSubmit(
    (values) => {
      if (isWaiting) return;
      setProblem(null);
      accept.mutate({ token, ...values });
    },
    (errors, values) => {
      if (fields.some((name) => values[name].trim() === "")) toast.error(inviteTexts.missingTitle, inviteTexts.missing);
      focusFirst(errors);
    },
  );

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {problem && <Notice tone="negative" title={problem} isAlert />}
        <TextInput
          label="Email"
          description="The invitation is for this address."
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          readOnly
        />
        <TextInput label="Full Name" name="name" autoComplete="name" {...form.getInputProps("fullName")} />
        <PasswordField
          label="Password"
          description={<span id={hintId}>{inviteTexts.passwordHint}</span>}
          name="password"
          autoComplete="new-password"
          aria-describedby={`${hintId} ${strengthId}`}
          {...form.getInputProps("password")}
        />
        <PasswordStrength password={form.values.password} id={strengthId} />
        <Button type="submit" fullWidth aria-disabled={isWaiting || undefined}>
          {isWaiting ? "Creating Account..." : "Create Account"}
        </Button>
      </Stack>
    </form>
  );
}
