import "#client/ui/mantine/fields.css";
import { Button, Stack, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { authTexts } from "#shared/accounts/inputs.ts";
import { twoFactorTexts } from "#shared/accounts/two-factor-texts.ts";
import classes from "./auth-card.module.css";
import { Notice } from "./auth-card.tsx";
import { LockNotice, type useSignInLock } from "./sign-in-lock.tsx";

const kinds = {
  app: {
    text: "Enter the 6-digit code that your authenticator app shows for this account.",
    label: "Code from the app",
    other: "Use a recovery code",
  },
  recovery: {
    text: "Enter one of the recovery codes that you kept when you set up two-factor sign-in. Each works once.",
    label: "Recovery code",
    other: "Use the app instead",
  },
} as const;

type SecondFactorStepProps = {
  lock: ReturnType<typeof useSignInLock>;
  /** Called with the session open. */
  onPassed: () => void;
  /** The first step has to be done again: by choice, or for the reason given. */
  onOver: (reason: string | null) => void;
};

/** The second step of an administrator's sign-in. What was typed survives every refusal, also in the other field. */
export function SecondFactorStep({ lock, onPassed, onOver }: SecondFactorStepProps) {
  const [kind, setKind] = useState<keyof typeof kinds>("app");
  const [typed, setTyped] = useState({ app: "", recovery: "" });
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const { text, label, other } = kinds[kind];
  const code = typed[kind];

  const verify = trpc.auth.verifySecondFactor.useMutation({
    onSuccess: onPassed,
    onError: (error) => {
      if (errorReason(error) === "unauthenticated") return onOver(errorText(error));
      lock.noteRefusal(error.data?.details);
      const told = errorText(error);
      if (told === authTexts.locked) toast.error(authTexts.lockedTitle, told);
      setProblem(told === authTexts.locked ? null : told);
      field.current?.select();
    },
  });
  const startOver = trpc.auth.signOut.useMutation({ onSuccess: () => onOver(null), onError: () => onOver(null) });
  const isWaiting = verify.isPending || verify.isSuccess;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the other kind's field is where one types next
  useEffect(() => field.current?.focus(), [kind]);

  const submit = () => {
    if (isWaiting) return;
    if (code.trim() === "") {
      setProblem(twoFactorTexts.codeMissing);
      field.current?.focus();
      return;
    }
    setProblem(null);
    verify.mutate({ code });
  };
  // The sentence that goes with the lock goes when it ends.
  const shown = problem === authTexts.nowLocked && !lock.isLocked ? null : problem;

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md">
        <div>
          <h2 className={classes.stepTitle}>Two-factor sign-in</h2>
          <p className={classes.stepText}>{text}</p>
        </div>
        {lock.isLocked && <LockNotice secondsLeft={lock.secondsLeft} />}
        {shown && (
          <Notice key={shown}>
            <p>{shown}</p>
          </Notice>
        )}
        {lock.showsWarning && (
          <Notice tone="caution">
            <p>{authTexts.multipleFailures}</p>
          </Notice>
        )}
        <TextInput
          // A field of its own for each, so that a phone brings the right keyboard.
          key={kind}
          ref={field}
          label={label}
          name={kind === "app" ? "code" : "recovery-code"}
          inputMode={kind === "app" ? "numeric" : "text"}
          autoComplete={kind === "app" ? "one-time-code" : "off"}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={kind === "app" ? 12 : 40}
          classNames={{ input: classes.code }}
          disabled={lock.isLocked}
          value={code}
          onChange={(event) => setTyped({ ...typed, [kind]: event.currentTarget.value })}
          error={shown !== null && !lock.isLocked}
        />
        <Button type="submit" fullWidth disabled={lock.isLocked} aria-disabled={isWaiting || undefined}>
          {isWaiting ? "Verifying..." : "Verify"}
        </Button>
        <ButtonRow>
          <Button
            variant="subtle"
            size="sm"
            onClick={() => {
              setProblem(null);
              setKind(kind === "app" ? "recovery" : "app");
            }}
          >
            {other}
          </Button>
          <Button variant="subtle" size="sm" loading={startOver.isPending} onClick={() => startOver.mutate()}>
            Start over
          </Button>
        </ButtonRow>
      </Stack>
    </form>
  );
}
