import { Button, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { OwnProof, type ProofWanted } from "#client/ui/forms/own-proof.tsx";
import { SectionCard } from "#client/ui/layout/section-card.tsx";
import { requestEmailChangeInput } from "#shared/account.ts";
import { accountTexts } from "#shared/account-texts.ts";
import classes from "./account.module.css";

type EmailCardProps = { email: string; pendingEmail: string | null; account: ProofWanted };

/** A new address counts once the link mailed to it was opened. */
export function EmailCard({ email, pendingEmail, account }: EmailCardProps) {
  const utils = trpc.useUtils();
  const form = useForm({
    initialValues: { email: "", currentPassword: "", code: "" },
    validate: schemaResolver(requestEmailChangeInput, { sync: true }),
  });
  const { problem, refuse, forgetProblem } = useRefusal(form, account.hasPassword);
  const request = trpc.users.requestEmailChange.useMutation({
    onSuccess: async () => {
      form.reset();
      forgetProblem();
      await utils.users.account.invalidate();
      toast.success("Link sent", accountTexts.emailSent);
    },
    onError: refuse,
  });
  return (
    <SectionCard
      title="Email"
      text={
        <>
          You sign in with <strong>{email}</strong>, and we write to it.
        </>
      }
    >
      {pendingEmail && (
        <Notice tone="waiting" title={`Waiting for ${pendingEmail}`}>
          <p>Open the link that we sent there. It works for 24 hours; until then your email stays as it is.</p>
        </Notice>
      )}
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <form
        className={classes.form}
        onSubmit={form.onSubmit((values) => request.mutate(requestEmailChangeInput.parse(values)))}
        noValidate
      >
        <TextInput label="New Email" type="email" name="email" autoComplete="email" {...form.getInputProps("email")} />
        <OwnProof account={account} form={form} />
        <Button className={classes.action} type="submit" loading={request.isPending}>
          Change email
        </Button>
      </form>
    </SectionCard>
  );
}
