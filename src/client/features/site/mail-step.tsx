import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import { type SubmitEvent, useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Card } from "#client/ui/layout/card.tsx";
import { mailTexts } from "#shared/dashboard/mail-texts.ts";
import { setupTexts as texts } from "#shared/site/setup-texts.ts";
import classes from "./set-up.module.css";

type MailStepProps = { mail: RouterOutputs["setup"]["steps"]["mail"]; isDone: boolean };

/** A code is mailed and entered: so it is known that mails leave the server. */
export function MailStep({ mail, isDone }: MailStepProps) {
  const { setup } = trpc.useUtils();
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const send = trpc.setup.sendMailCode.useMutation({
    onSuccess: async ({ sentTo }) => {
      toast.success(texts.mailSent, `To ${sentTo}`);
      await setup.steps.invalidate();
      field.current?.focus();
    },
    onError: (error) => toast.error("No code was sent", errorText(error)),
  });
  const tell = (text: string) => {
    setFault(text);
    field.current?.focus();
  };
  const prove = trpc.setup.proveMail.useMutation({
    onSuccess: async () => {
      toast.success(texts.mailProven);
      setCode("");
      await setup.steps.invalidate();
    },
    onError: (error) => tell(errorText(error)),
  });
  if (mail.isKept) {
    return (
      <Notice tone="negative" title={mailTexts.staysHere}>
        <p>{mailTexts.whatToDo}</p>
      </Notice>
    );
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setFault(null);
    if (code.trim() === "") tell(texts.mailCodeMissing);
    else prove.mutate({ code });
  };
  return (
    <Card
      title={isDone ? texts.mailProven : "See whether mails leave"}
      text={
        isDone
          ? "A mailed code has arrived. Send another one after a change of the mail server."
          : "We mail a code to your own address. Enter it here once it has arrived."
      }
    >
      {!mail.hasServer && (
        <Notice tone="neutral" title="This server has no mail server">
          <p>
            Its mails stay here, and can be read at <a href="/dev/mail">/dev/mail</a>. A real site needs SMTP_URL.
          </p>
        </Notice>
      )}
      <Button
        className={classes.button}
        variant={mail.sentTo === null ? "filled" : "default"}
        loading={send.isPending}
        onClick={() => send.mutate()}
      >
        {mail.sentTo === null ? "Send me a code" : "Send another code"}
      </Button>
      {mail.sentTo !== null && (
        <form className={classes.form} onSubmit={submit} noValidate>
          <TextInput
            ref={field}
            label="Code from the mail"
            description={`Sent to ${mail.sentTo}. It holds for 24 hours.`}
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            value={code}
            error={fault}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
          <Button className={classes.button} type="submit" loading={prove.isPending}>
            It has arrived
          </Button>
        </form>
      )}
    </Card>
  );
}
