import { Button, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ButtonRow } from "#client/ui/button-row.tsx";
import { CopyButton } from "#client/ui/copy-button.tsx";
import { ErrorState } from "#client/ui/error-state.tsx";
import { Loading, SkeletonText } from "#client/ui/skeleton.tsx";
import { twoFactorTexts } from "#shared/two-factor-texts.ts";
import classes from "./two-factor.module.css";

type TwoFactorSetupProps = { onConfirmed: (codes: string[]) => void; onCancel: () => void };

/** Groups of four, as a key is typed. Apps ignore the spaces. */
const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(" ") ?? secret;

/** A new secret on the screen, and the code that shows that the app has it. */
export function TwoFactorSetup({ onConfirmed, onCancel }: TwoFactorSetupProps) {
  const { mutate: start, data, error } = trpc.twoFactor.start.useMutation();
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    start();
  }, [start]);

  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const confirm = trpc.twoFactor.confirm.useMutation({
    onSuccess: ({ codes }) => onConfirmed(codes),
    onError: (error) => {
      setProblem(errorText(error));
      field.current?.select();
    },
  });
  const isWaiting = confirm.isPending || confirm.isSuccess;

  if (error) return <ErrorState title="The setup could not begin" text={errorText(error)} onRetry={() => start()} />;
  if (!data) {
    return (
      <Loading label="Making your secret">
        <SkeletonText lines={6} />
      </Loading>
    );
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isWaiting) return;
        if (code.trim() === "") {
          setProblem(twoFactorTexts.codeMissing);
          field.current?.focus();
          return;
        }
        setProblem(null);
        confirm.mutate({ code });
      }}
    >
      <ol className={classes.steps}>
        <li>
          <p className={classes.stepTitle}>Add the account to your authenticator app</p>
          <p className={classes.text}>
            Scan the picture with an app such as Google Authenticator, Aegis or 1Password. On this phone,{" "}
            <a href={data.url}>open it in your app</a>.
          </p>
          <div className={classes.secret}>
            <img
              className={classes.qr}
              src={data.qr}
              width={208}
              height={208}
              alt="QR code for your authenticator app"
            />
            <div className={classes.manual}>
              <p className={classes.manualLabel}>Can't scan it? Enter this key by hand:</p>
              <p className={classes.key}>{inGroups(data.secret)}</p>
              <CopyButton text={data.secret} what="key" />
            </div>
          </div>
        </li>
        <li>
          <p className={classes.stepTitle}>Enter the code that the app shows</p>
          <TextInput
            ref={field}
            className={classes.field}
            classNames={{ input: classes.code }}
            label="6-digit code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={12}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={problem}
          />
        </li>
      </ol>
      <ButtonRow>
        <Button type="submit" aria-disabled={isWaiting || undefined}>
          {isWaiting ? "Switching on..." : "Switch on"}
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
}
