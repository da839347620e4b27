import { Button, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { PasswordField } from "#client/ui/forms/password-field.tsx";
import { googleTexts } from "#shared/accounts/google-texts.ts";
import { authTexts } from "#shared/accounts/inputs.ts";
import classes from "./auth-card.module.css";
import { Notice } from "./auth-card.tsx";
import { LockNotice, type useSignInLock } from "./sign-in-lock.tsx";

type GoogleLinkStepProps = {
  email: string;
  lock: ReturnType<typeof useSignInLock>;
  /** Called with the session open, or where a code is wanted first. */
  onPassed: (entered: { needsCode: boolean }) => void;
  /** The way by Google has to be gone again: by choice, or for the reason given. */
  onOver: (reason: string | null) => void;
};

/** After Google, where an account with the same address has a password: shows that both are one person's. */
export function GoogleLinkStep({ email, lock, onPassed, onOver }: GoogleLinkStepProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const form = useForm({
    initialValues: { password: "" },
    validate: { password: (value) => (value === "" ? authTexts.linkPasswordMissing : null) },
  });
  const refuse = (
    error: Parameters<typeof errorText>[0] & { data?: { details?: Record<string, string | number> } | null },
  ) => {
    setIsAsking(false);
    const told = errorText(error);
    if (told === googleTexts.linkStepOver) return onOver(told);
    lock.noteRefusal(error.data?.details);
    if (told === authTexts.locked) toast.error(authTexts.lockedTitle, told);
    else if (told === authTexts.linkPasswordWrong) form.setErrors({ password: told });
    else setProblem(told);
    form.getInputNode("password")?.focus();
  };
  const byPassword = trpc.auth.linkGoogleByPassword.useMutation({ onSuccess: onPassed, onError: refuse });
  const without = trpc.auth.linkGoogleWithoutPassword.useMutation({ onSuccess: onPassed, onError: refuse });
  const startOver = trpc.auth.signOut.useMutation({ onSuccess: () => onOver(null), onError: () => onOver(null) });
  const isWaiting = byPassword.isPending || byPassword.isSuccess || without.isPending || without.isSuccess;
  const shown = problem === authTexts.nowLocked && !lock.isLocked ? null : problem;

  const submit = form.onSubmit(
    (values) => {
      if (isWaiting) return;
      setProblem(null);
      byPassword.mutate(values);
    },
    () => form.getInputNode("password")?.focus(),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <div>
          <h2 className={classes.stepTitle}>You already have an account</h2>
          <p className={classes.stepText}>
            <strong className={classes.address}>{email}</strong> has an account with a password. Enter it once, and from
            then on Google signs you in to it.
          </p>
        </div>
        {lock.isLocked && <LockNotice secondsLeft={lock.secondsLeft} />}
        {shown && (
          <Notice key={shown}>
            <p>{shown}</p>
          </Notice>
        )}
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          autoFocus
          disabled={lock.isLocked}
          {...form.getInputProps("password")}
        />
        <Button type="submit" fullWidth disabled={lock.isLocked} aria-disabled={isWaiting || undefined}>
          {byPassword.isPending || byPassword.isSuccess ? "Signing in..." : "Sign In and link Google"}
        </Button>
        <Button variant="default" fullWidth onClick={() => setIsAsking(true)}>
          I don't know the password
        </Button>
        <Button variant="subtle" size="sm" loading={startOver.isPending} onClick={() => startOver.mutate()}>
          Start over
        </Button>
      </Stack>
      <LazyConfirmDialog
        opened={isAsking}
        title="Remove the password?"
        confirmLabel="Remove it and sign in"
        isPending={without.isPending}
        onConfirm={() => without.mutate()}
        onClose={() => setIsAsking(false)}
      >
        The password stops working, and whoever is signed in to the account is signed out. You then sign in with Google,
        and can set a new password in your account.
      </LazyConfirmDialog>
    </form>
  );
}
