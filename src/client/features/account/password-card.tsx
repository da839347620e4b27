import { Button } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useEffect, useId, useState } from "react";
import { useForgetSession } from "#client/lib/session/forget-session.ts";
import { useLeaveSession } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { OwnProof, type ProofWanted } from "#client/ui/forms/own-proof.tsx";
import { PasswordField } from "#client/ui/forms/password-field.tsx";
import { PasswordStrength } from "#client/ui/forms/password-strength.tsx";
import { SectionCard } from "#client/ui/layout/section-card.tsx";
import { changePasswordInput } from "#shared/account.ts";
import classes from "./account.module.css";

/** Between the change and the sign-in page (specification, section 4). */
const LEAVE_AFTER_MS = 1000;

/** Ends all sessions: the page leaves for sign-in a second later. */
export function PasswordCard({ account }: { account: ProofWanted }) {
  const { hasPassword } = account;
  const strengthId = useId();
  const [isDone, setIsDone] = useState(false);
  const forgetSession = useForgetSession();
  const leave = useLeaveSession();
  const form = useForm({
    initialValues: { currentPassword: "", code: "", password: "" },
    validate: schemaResolver(changePasswordInput, { sync: true }),
  });
  const { problem, refuse, forgetProblem } = useRefusal(form, hasPassword);
  const change = trpc.users.changePassword.useMutation({
    onSuccess: () => {
      toast.success("Password changed", "Please sign in with your new password.");
      forgetProblem();
      forgetSession();
      setIsDone(true);
    },
    onError: refuse,
  });
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => void leave("/login"), LEAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isDone, leave]);

  return (
    <SectionCard
      title="Password"
      text={
        hasPassword
          ? "A new password signs you out everywhere, also here."
          : "Set a password to sign in without Google as well. You will be signed out everywhere, also here."
      }
    >
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <form
        className={classes.form}
        onSubmit={form.onSubmit((values) => {
          if (!isDone) change.mutate(changePasswordInput.parse(values));
        })}
        noValidate
      >
        <OwnProof account={account} form={form} />
        <PasswordField
          label="New Password"
          name="newPassword"
          autoComplete="new-password"
          aria-describedby={strengthId}
          {...form.getInputProps("password")}
        />
        <PasswordStrength password={form.values.password} id={strengthId} />
        <Button className={classes.action} type="submit" loading={change.isPending || isDone}>
          {hasPassword ? "Change password" : "Set password"}
        </Button>
      </form>
    </SectionCard>
  );
}
