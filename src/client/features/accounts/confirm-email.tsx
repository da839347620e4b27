import "#client/ui/mantine/fields.css";
import { Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { useMailedLink } from "#client/lib/mailed-link.ts";
import { useStartSession } from "#client/lib/session/start-session.ts";
import { keepSentTo } from "#client/lib/tab-store.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { PasswordField } from "#client/ui/forms/password-field.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { authTexts, emailField, resetLinkMinutes } from "#shared/accounts/inputs.ts";
import classes from "./auth-card.module.css";
import { AuthCard, Notice } from "./auth-card.tsx";

/** The page of a confirmation link: nothing is confirmed before the person says so, and shows that the account is theirs. */
export function ConfirmEmail() {
  const { token, next, link, error } = useMailedLink("confirm_email");
  const router = useRouter();
  const [fault, setFault] = useState<string | null>(null);
  const [isDone, setIsDone] = useState(false);

  if (isDone) {
    return (
      <AuthCard
        title="Email confirmed"
        text="Your account is ready, and you are signed in."
        footer={<TextLink to="/profile">My Profile</TextLink>}
      >
        <LinkButton to="/discover" fullWidth>
          Discover farms
        </LinkButton>
      </AuthCard>
    );
  }
  if (error || fault) {
    return (
      <>
        <ErrorState level={1} title="This link did not work" text={fault ?? errorText(error)} />
        <NewLink />
        <p className={classes.footer}>
          Already confirmed? <TextLink to="/login">Sign in</TextLink>
        </p>
      </>
    );
  }
  if (!link) {
    return (
      <AuthCard title="Confirm your email" text="One moment.">
        <Loading label="Opening your link">
          <SkeletonText lines={2} />
        </Loading>
      </AuthCard>
    );
  }
  const finish = () => {
    if (next === null) return setIsDone(true);
    toast.success("Email confirmed");
    router.history.push(next);
  };
  return <Confirm token={token} link={link} next={next} onDone={finish} onInvalid={setFault} />;
}

type ConfirmProps = {
  token: string;
  link: NonNullable<ReturnType<typeof useMailedLink>["link"]>;
  /** Where the person was going when they signed up. */
  next: string | null;
  onDone: () => void;
  onInvalid: (text: string) => void;
};

function Confirm({ token, link: { email, proof }, next, onDone, onInvalid }: ConfirmProps) {
  const router = useRouter();
  const startSession = useStartSession();
  const asksPassword = proof !== "session";
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    initialValues: { password: "" },
    validate: { password: (value) => (asksPassword && value === "" ? authTexts.linkPasswordMissing : null) },
  });
  const confirm = trpc.auth.confirmEmail.useMutation({
    onSuccess: async ({ needsCode }) => {
      keepSentTo(null);
      // The sign-in page asks for the code, and leads on.
      if (needsCode) return router.navigate({ to: "/login", search: next === null ? {} : { next } });
      if (asksPassword) await startSession();
      onDone();
    },
    onError: (error) => {
      const text = errorText(error);
      if (text === authTexts.confirmationInvalid) return onInvalid(text);
      if (text === authTexts.linkPasswordWrong) {
        form.setErrors({ password: text });
        form.getInputNode("password")?.focus();
      } else setProblem(text);
    },
  });
  const isWaiting = confirm.isPending || confirm.isSuccess;
  const submit = form.onSubmit(
    ({ password }) => {
      if (isWaiting) return;
      setProblem(null);
      confirm.mutate({ token, ...(asksPassword && { password }) });
    },
    () => form.getInputNode("password")?.focus(),
  );
  return (
    <AuthCard
      title="Confirm your email"
      text={
        asksPassword ? (
          <>
            An account was made with <strong>{email}</strong>. If it was you, enter the password that you chose: it
            shows that the account is yours, and signs you in.
          </>
        ) : (
          <>
            <strong>{email}</strong> is the address of the account that you are signed in to.
          </>
        )
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {problem && (
            <Notice key={problem}>
              <p>{problem}</p>
            </Notice>
          )}
          {asksPassword && (
            <PasswordField
              label="Password"
              name="password"
              autoComplete="current-password"
              {...form.getInputProps("password")}
            />
          )}
          <Button type="submit" fullWidth aria-disabled={isWaiting || undefined}>
            {isWaiting ? "Confirming..." : asksPassword ? "Confirm and sign in" : "Confirm my email"}
          </Button>
        </Stack>
      </form>
      {asksPassword && <ResetInstead email={email} />}
    </AuthCard>
  );
}

function NewLink() {
  const resend = trpc.auth.resendConfirmation.useMutation({
    onSuccess: () => toast.success("Link sent", authTexts.confirmationResent),
    onError: (error) => form.setErrors({ email: errorText(error) }),
  });
  const form = useForm({
    initialValues: { email: "" },
    validate: { email: (value) => (emailField.safeParse(value).success ? null : authTexts.emailInvalid) },
  });
  return (
    <form onSubmit={form.onSubmit(({ email }) => resend.mutate({ email }))} noValidate>
      <Stack gap="md">
        <TextInput label="Email" type="email" name="email" autoComplete="email" {...form.getInputProps("email")} />
        <Button type="submit" fullWidth loading={resend.isPending}>
          Send a new link
        </Button>
      </Stack>
    </form>
  );
}

/**
 * The way out for whoever does not know the password, or never chose one: a stranger may have made the account. A reset
 * takes the password and every session that it had before.
 */
function ResetInstead({ email }: { email: string }) {
  const request = trpc.auth.requestPasswordReset.useMutation();
  return (
    <div className={classes.otherWay}>
      <h2 className={classes.stepTitle}>You don't know the password?</h2>
      <p className={classes.stepText}>
        If you forgot it, or somebody else made the account, choose a new one. The old password then stops working, and
        whoever is signed in is signed out. If you want no account, just close this page.
      </p>
      {request.isSuccess ? (
        <p className={classes.told} role="status">
          We have sent a link to <strong>{email}</strong>. Open it within {resetLinkMinutes} minutes.
        </p>
      ) : (
        <Button
          mt="sm"
          size="sm"
          variant="default"
          loading={request.isPending}
          onClick={() => request.mutate({ email })}
        >
          Send me a link for a new password
        </Button>
      )}
      {request.error && (
        <p className={classes.fault} role="alert">
          {errorText(request.error)}
        </p>
      )}
    </div>
  );
}
