import "#client/ui/mantine/fields.css";
import { Button, Checkbox, Group, TextInput } from "@mantine/core";
import { IconDownload, IconPrinter } from "@tabler/icons-react";
import { useEffect, useId, useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { useSite } from "#client/lib/site.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { CopyButton } from "#client/ui/feedback/copy-button.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { twoFactorTexts } from "#shared/accounts/two-factor-texts.ts";
import { fileNameOf, type Site } from "#shared/site/site.ts";
import classes from "./two-factor.module.css";

export type BegunFactor = RouterOutputs["twoFactor"]["start"];
type TwoFactorSetupProps = { begun: BegunFactor; onConfirmed: (codes: string[]) => void; onCancel: () => void };

/** Groups of four, as a key is typed. Apps ignore the spaces. */
const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(" ") ?? secret;

/** The new secret, and the code that shows that the app has it. */
export function TwoFactorSetup({ begun, onConfirmed, onCancel }: TwoFactorSetupProps) {
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
            <a href={begun.url}>open it in your app</a>.
          </p>
          <div className={classes.secret}>
            <img
              className={classes.qr}
              src={begun.qr}
              width={208}
              height={208}
              alt="QR code for your authenticator app"
            />
            <div className={classes.manual}>
              <p className={classes.manualLabel}>Can't scan it? Enter this key by hand:</p>
              <p className={classes.key}>{inGroups(begun.secret)}</p>
              <CopyButton text={begun.secret} what="key" />
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

function download(site: Site, codes: string[]) {
  const lines = [`${site.name} recovery codes`, "Each works once, in place of a code from the app.", "", ...codes, ""];
  const url = URL.createObjectURL(new Blob([lines.join("\n")], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${fileNameOf(site)}-recovery-codes.txt`;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Shown once: the person says that they were kept before they go. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const site = useSite();
  const [isKept, setIsKept] = useState(false);
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // What was pressed is gone: the reader goes on here.
  useEffect(() => heading.current?.focus(), []);
  return (
    <div>
      <h3 ref={heading} className={classes.stepTitle} id={headingId} tabIndex={-1}>
        Keep your recovery codes
      </h3>
      <p className={classes.text}>
        If you lose your phone, each of these lets you sign in once. Keep them where only you can read them, not on the
        same phone. They are shown only now.
      </p>
      <div className={classes.printed}>
        <p className={classes.printTitle}>{site.name} recovery codes. Each works once.</p>
        <ul className={classes.codes} aria-labelledby={headingId}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <Group gap="sm" mb="md">
        <CopyButton text={codes.join("\n")} what="recovery codes" />
        <Button
          size="sm"
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => download(site, codes)}
        >
          Download
        </Button>
        <Button size="sm" variant="default" leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
          Print
        </Button>
      </Group>
      <Checkbox
        mb="md"
        label="I have kept them"
        checked={isKept}
        onChange={(event) => setIsKept(event.currentTarget.checked)}
      />
      <Button disabled={!isKept} onClick={onKept}>
        Done
      </Button>
    </div>
  );
}
