import "#client/ui/mantine/fields.css";
import { Button, Stack, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useEffect, useId, useRef, useState } from "react";
import { errorReason, errorText, fieldErrors } from "#client/lib/errors.ts";
import { useStartSession } from "#client/lib/session/start-session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { PasswordField, PasswordStrength } from "#client/ui/forms/password-field.tsx";
import { inviteTexts } from "#shared/people/team-texts.ts";
import { firstOwnerForm, setupCodeInput } from "#shared/site/setup.ts";

type StepProps<Result> = {
  onDone: (result: Result) => void;
  /** The set-up is over: the site has its owner. */
  onGone: () => void;
};

/** The code from the server's log. What was typed survives every refusal. */
export function SetupCodeForm({ onDone, onGone }: StepProps<string>) {
  const field = useRef<HTMLInputElement>(null);
  const form = useForm({ initialValues: { code: "" }, validate: schemaResolver(setupCodeInput, { sync: true }) });
  const tell = (text: string) => {
    form.setErrors({ code: text });
    field.current?.focus();
  };
  const check = trpc.setup.checkCode.useMutation({
    onSuccess: (_, { code }) => onDone(code),
    onError: (error) => (errorReason(error) === "not_found" ? onGone() : tell(errorText(error))),
  });
  const submit = form.onSubmit(
    ({ code }) => check.mutate({ code }),
    () => field.current?.focus(),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          ref={field}
          label="Code"
          description="Eight letters and digits, like 7K3P-9Q2M, behind the address of this page in the log."
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...form.getInputProps("code")}
        />
        <Button type="submit" fullWidth loading={check.isPending}>
          Go on
        </Button>
      </Stack>
    </form>
  );
}

const fields = ["fullName", "email", "password"] as const;

/** The account of the first owner. */
export function FirstOwnerForm({ code, onDone, onGone }: StepProps<void> & { code: string }) {
  const strengthId = useId();
  const hintId = useId();
  const startSession = useStartSession();
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    initialValues: { fullName: "", email: "", password: "" },
    validate: schemaResolver(firstOwnerForm, { sync: true }),
  });
  const focusFirst = (errors: Record<string, unknown>) => {
    const name = fields.find((field) => errors[field] !== undefined);
    if (name) form.getInputNode(name)?.focus();
  };
  // What was pressed is gone: one goes on here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form appears
  useEffect(() => form.getInputNode("fullName")?.focus(), []);
  const begin = trpc.setup.begin.useMutation({
    onSuccess: async () => {
      // The account is there, whatever comes after.
      await startSession().catch(() => null);
      onDone();
    },
    onError: (error) => {
      if (errorReason(error) === "not_found") return onGone();
      const faults = fieldErrors(error);
      form.setErrors(faults);
      focusFirst(faults);
      setProblem(fields.some((field) => faults[field]) ? null : errorText(error));
    },
  });
  const isWaiting = begin.isPending || begin.isSuccess;
  const submit = form.onSubmit((values) => {
    if (isWaiting) return;
    setProblem(null);
    begin.mutate({ ...firstOwnerForm.parse(values), code });
  }, focusFirst);
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {problem && <Notice tone="negative" title={problem} isAlert />}
        <TextInput label="Full Name" name="name" autoComplete="name" {...form.getInputProps("fullName")} />
        <TextInput label="Email" type="email" name="email" autoComplete="username" {...form.getInputProps("email")} />
        <PasswordField
          label="Password"
          description={<span id={hintId}>{inviteTexts.passwordHint}</span>}
          name="password"
          autoComplete="new-password"
          aria-describedby={`${hintId} ${strengthId}`}
          {...form.getInputProps("password")}
        />
        <PasswordStrength password={form.values.password} id={strengthId} />
        <Button type="submit" fullWidth loading={isWaiting}>
          Create my account
        </Button>
      </Stack>
    </form>
  );
}
