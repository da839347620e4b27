import "#client/ui/mantine/fields.css";
import { Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { errorReason } from "#client/lib/errors.ts";
import { useStartSession } from "#client/lib/session/start-session.ts";
import { keepSentTo } from "#client/lib/tab-store.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { PasswordField } from "#client/ui/forms/password-field.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { authTexts, signInInput } from "#shared/accounts/inputs.ts";
import classes from "./auth-card.module.css";
import { Notice } from "./auth-card.tsx";
import { GoogleButton } from "./google-button.tsx";
import { GoogleLinkStep } from "./google-link-step.tsx";
import { entryErrorText } from "./google-return.tsx";
import { ResendConfirmation } from "./resend-confirmation.tsx";
import { SecondFactorStep } from "./second-factor-step.tsx";
import { LockNotice, useSignInLock } from "./sign-in-lock.tsx";

type SignInFormProps = {
  /** Which door: everybody's, or the administrators'. */
  door: "public" | "admin";
  /** A path of ours that the way by Google leads to; the form itself leaves that to `onSignedIn`. */
  next?: string | undefined;
  /** Called with the session open. */
  onSignedIn: () => void;
};

/** The error of a refused procedure. */
type Refusal = { message: string; data?: { details?: Record<string, string | number> | undefined } | null | undefined };

/** Address and password, with the lock after five failures. What was typed survives every refusal. */
export function SignInForm({ door, next, onSignedIn }: SignInFormProps) {
  const lock = useSignInLock();
  const startSession = useStartSession();
  const utils = trpc.useUtils();
  const [problem, setProblem] = useState<string | null>(null);
  // Until something happens here, what the server knows already: a reload, or the way back from Google.
  const [asksForCode, setAsksForCode] = useState<boolean | null>(null);
  const [isLinkOver, setIsLinkOver] = useState(false);
  const form = useForm({
    initialValues: { email: "", password: "" },
    validate: {
      email: (value) => (value.trim() === "" ? authTexts.emailMissing : null),
      password: (value) => (value === "" ? authTexts.passwordMissing : null),
    },
  });

  const refuse = (error: Refusal) => {
    lock.noteRefusal(error.data?.details);
    const text = refusalText(error, door);
    if (text === authTexts.locked) {
      toast.error(authTexts.lockedTitle, authTexts.locked);
      setProblem(null);
    } else setProblem(text);
    // Without admin access the server has also ended the session this browser may have had.
    if (text === authTexts.noAdminAccess) void utils.auth.viewer.invalidate();
  };
  const finish = async () => {
    keepSentTo(null);
    await startSession();
    onSignedIn();
  };
  const options = {
    onSuccess: ({ needsCode }: { needsCode: boolean }) => {
      if (!needsCode) return finish();
      lock.noteRefusal({ failures: 0 });
      setAsksForCode(true);
    },
    onError: refuse,
  };
  const publicSignIn = trpc.auth.signIn.useMutation(options);
  const adminSignIn = trpc.auth.adminSignIn.useMutation(options);
  const mutation = door === "admin" ? adminSignIn : publicSignIn;
  const isWaiting = mutation.isPending || mutation.isSuccess;

  const submit = form.onSubmit(
    (values) => {
      if (isWaiting) return;
      const parsed = signInInput.safeParse(values);
      if (!parsed.success) return setProblem(parsed.error.issues[0]?.message ?? authTexts.wrongCredentials);
      setProblem(null);
      mutation.mutate(parsed.data);
    },
    (errors) => {
      setProblem(authTexts.required);
      form.getInputNode(errors.email === undefined ? "password" : "email")?.focus();
    },
  );

  // The sentence that goes with the lock goes when it ends.
  const shown = problem === authTexts.nowLocked && !lock.isLocked ? null : problem;

  if (asksForCode ?? lock.needsCode) {
    const startOver = (reason: string | null) => {
      mutation.reset();
      setProblem(reason);
      setAsksForCode(false);
    };
    return <SecondFactorStep lock={lock} onPassed={finish} onOver={startOver} />;
  }
  if (lock.linksGoogle !== null && !isLinkOver) {
    const startOver = (reason: string | null) => {
      setProblem(reason);
      setIsLinkOver(true);
    };
    const pass = (entered: { needsCode: boolean }) => {
      setIsLinkOver(entered.needsCode);
      return options.onSuccess(entered);
    };
    return <GoogleLinkStep email={lock.linksGoogle} lock={lock} onPassed={pass} onOver={startOver} />;
  }
  return (
    <form onSubmit={submit} noValidate>
      <GoogleButton label="Continue with Google" door={door} purpose="sign-in" next={next} isDisabled={lock.isLocked}>
        <Stack gap="md">
          {lock.isLocked && <LockNotice secondsLeft={lock.secondsLeft} />}
          {shown && (
            <Notice key={shown} tone={shown === authTexts.checkEmail ? "caution" : "negative"}>
              <p>{shown}</p>
              {shown === authTexts.checkEmail && <ResendConfirmation email={form.values.email} />}
            </Notice>
          )}
          {lock.showsWarning && (
            <Notice tone="caution">
              <p>{authTexts.multipleFailures}</p>
            </Notice>
          )}
          <TextInput
            label="Email"
            type="email"
            name="email"
            autoComplete="username"
            disabled={lock.isLocked}
            {...form.getInputProps("email")}
          />
          <PasswordField
            label="Password"
            name="password"
            autoComplete="current-password"
            disabled={lock.isLocked}
            {...form.getInputProps("password")}
          />
          <p className={classes.forgot}>
            <TextLink to={door === "admin" ? "/admin/forgot-password" : "/forgot-password"}>Forgot password?</TextLink>
          </p>
          <Button type="submit" fullWidth disabled={lock.isLocked} aria-disabled={isWaiting || undefined}>
            {isWaiting ? "Signing in..." : "Sign In"}
          </Button>
        </Stack>
      </GoogleButton>
    </form>
  );
}

function refusalText(error: unknown, door: SignInFormProps["door"]): string {
  const reason = errorReason(error);
  if (door === "admin" && reason === "network") return authTexts.adminNetwork;
  if (door === "admin" && reason === "internal") return authTexts.adminUnknown;
  return entryErrorText(error);
}
