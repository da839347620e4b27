import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useForgetSession } from "#client/lib/session/forget-session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { OwnProof, type ProofWanted } from "#client/shared-parts/own-proof.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { closeAccountInput } from "#shared/accounts/own-account.ts";
import { accountTexts, closePhrase } from "#shared/accounts/texts.ts";
import { formatDate } from "#shared/dates.ts";
import classes from "./account.module.css";

export function CloseCard({ account, isAdmin }: { account: ProofWanted; isAdmin: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <SectionCard title="Close account" text="Removes you from here for good. This can't be undone.">
      {isOpen ? (
        <CloseForm account={account} isAdmin={isAdmin} onCancel={() => setIsOpen(false)} />
      ) : (
        <Button className={classes.action} variant="outline" color="red" onClick={() => setIsOpen(true)}>
          Close my account
        </Button>
      )}
    </SectionCard>
  );
}

type CloseFormProps = { account: ProofWanted; isAdmin: boolean; onCancel: () => void };

/** Shows the consequences of closing for this person, then asks for the password and the typed words. */
function CloseForm({ account, isAdmin, onCancel }: CloseFormProps) {
  const navigate = useNavigate();
  const forgetSession = useForgetSession();
  const closing = trpc.users.closing.useQuery(undefined, { staleTime: 0, gcTime: 0 });
  const form = useForm({
    initialValues: { currentPassword: "", code: "", confirmation: "" },
    validate: schemaResolver(closeAccountInput, { sync: true }),
  });
  const { problem, refuse } = useRefusal(form, account.hasPassword);
  const close = trpc.users.close.useMutation({
    onSuccess: () => {
      forgetSession();
      toast.success(accountTexts.closed, "Thank you for having been with us.");
      return navigate({ to: "/" });
    },
    onError: refuse,
  });

  if (closing.error && !closing.data) {
    return <LoadFailed query={closing} title="This could not be loaded" />;
  }
  if (!closing.data) {
    return (
      <Loading label="Looking at your payments">
        <SkeletonText lines={4} />
      </Loading>
    );
  }
  const { keptOpenBy, keepsContact, keepsAddressUntil } = closing.data;
  if (keptOpenBy) {
    return (
      <>
        <Notice tone="caution" title="Your account stays open for now">
          <p>{keptOpenBy}</p>
        </Notice>
        <ButtonRow>
          <Button variant="default" onClick={onCancel}>
            Keep my account
          </Button>
        </ButtonRow>
      </>
    );
  }
  return (
    <>
      <ul className={classes.points}>
        <li>Your name, email, password, favorites and notifications are removed, and all your devices signed out.</li>
        <li>What you backed and paid stays in our books, and messages you wrote stay, without your name.</li>
        {keepsContact && (
          <li>
            A farm that you have a part in still runs. We keep your email address and your bank account until everything
            is paid, and write to you only about your money.
          </li>
        )}
        {!keepsContact && keepsAddressUntil && (
          <li>
            Your bank may still send back what we paid you. We keep your email address until{" "}
            {formatDate(keepsAddressUntil)}, and write to you only if it does.
          </li>
        )}
        {isAdmin && <li>Your roles end. The last active owner can't close the account.</li>}
      </ul>
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <form
        className={classes.form}
        onSubmit={form.onSubmit((values) => close.mutate(closeAccountInput.parse(values)))}
        noValidate
      >
        <OwnProof account={account} form={form} />
        <TextInput
          label={`Type "${closePhrase}"`}
          name="confirmation"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps("confirmation")}
        />
        <ButtonRow>
          <Button variant="default" onClick={onCancel} disabled={close.isPending}>
            Keep my account
          </Button>
          <Button
            type="submit"
            color="red"
            loading={close.isPending || close.isSuccess}
            disabled={form.values.confirmation !== closePhrase}
          >
            Close for good
          </Button>
        </ButtonRow>
      </form>
    </>
  );
}
