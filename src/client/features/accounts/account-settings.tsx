import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useState } from "react";
import { errorText, fieldErrors } from "#client/lib/errors.ts";
import { askForProof } from "#client/lib/proof.ts";
import { saveFile } from "#client/lib/save-file.ts";
import { useForgetSession } from "#client/lib/session/forget-session.ts";
import { useLeaveSession } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { OwnProof, type ProofWanted } from "#client/shared-parts/own-proof.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { PasswordField, PasswordStrength } from "#client/ui/forms/password-field.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { changeNameInput, changePasswordInput, requestEmailChangeInput } from "#shared/accounts/own-account.ts";
import { accountTexts, exportPath } from "#shared/accounts/texts.ts";
import classes from "./account.module.css";
import { CloseCard } from "./close-account.tsx";
import { SessionsCard } from "./sessions-card.tsx";

/** All that a person can change about the account. `children`: further cards, after those of sign-ins. */
export function AccountSettings({ children }: { children?: ReactNode }) {
  const query = trpc.users.account.useQuery(undefined, { staleTime: 0 });
  const { data: account, error } = query;
  if (error && !account) {
    return <LoadFailed query={query} title="Your account could not be loaded" />;
  }
  if (!account) {
    return (
      <Loading label="Loading your account">
        <div className={classes.cards}>
          {["Name", "Email", "Password"].map((title) => (
            <SectionCard key={title} title={title}>
              <SkeletonText lines={3} />
            </SectionCard>
          ))}
        </div>
      </Loading>
    );
  }
  const { fullName, email, pendingEmail, isAdmin } = account;
  return (
    <div className={classes.cards}>
      <NameCard fullName={fullName} />
      <EmailCard email={email} pendingEmail={pendingEmail} account={account} />
      <PasswordCard account={account} />
      <SessionsCard account={account} />
      {children}
      <DataCard />
      <CloseCard account={account} isAdmin={isAdmin} />
    </div>
  );
}

function NameCard({ fullName }: { fullName: string }) {
  const utils = trpc.useUtils();
  const form = useForm({ initialValues: { fullName }, validate: schemaResolver(changeNameInput, { sync: true }) });
  const change = trpc.users.changeName.useMutation({
    onSuccess: async () => {
      await Promise.all([utils.users.account.invalidate(), utils.auth.viewer.invalidate()]);
      toast.success("Name changed");
    },
    onError: (error) => form.setErrors({ fullName: errorText(error), ...fieldErrors(error) }),
  });
  return (
    <SectionCard title="Name" text="Our team sees it beside what you write and pay.">
      <form
        className={classes.form}
        onSubmit={form.onSubmit((values) => change.mutate(changeNameInput.parse(values)))}
        noValidate
      >
        <TextInput label="Full Name" name="name" autoComplete="name" {...form.getInputProps("fullName")} />
        <Button
          className={classes.action}
          type="submit"
          loading={change.isPending}
          disabled={form.values.fullName.trim() === fullName}
        >
          Save name
        </Button>
      </form>
    </SectionCard>
  );
}

type EmailCardProps = { email: string; pendingEmail: string | null; account: ProofWanted };

/** A new address counts once the link mailed to it was opened. */
function EmailCard({ email, pendingEmail, account }: EmailCardProps) {
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

/** Between the change and the sign-in page (specification, section 4). */
const LEAVE_AFTER_MS = 1000;

/** Ends all sessions: the page leaves for sign-in a second later. */
function PasswordCard({ account }: { account: ProofWanted }) {
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

/** Everything we hold about the person, as one file. */
function DataCard() {
  const download = useMutation({
    mutationFn: async ({ isWhole }: { isWhole: boolean }) => {
      if (isWhole && !(await askForProof())) return false;
      await saveFile(exportPath, "my-data.json");
      return true;
    },
    onSuccess: (isSaved) => isSaved && toast.success("Your data were downloaded"),
  });
  return (
    <SectionCard
      title="Your data"
      text="Your account, sign-ins, favorites, backings, payments, messages, notifications and what you sent us from your address in one JSON file, which any computer can read. Of bank accounts it has the last digits, unless you gave your password just before."
    >
      {download.error && (
        <Notice tone="negative" isAlert title={accountTexts.exportFailed}>
          <p>{errorText(download.error)}</p>
        </Notice>
      )}
      <ButtonRow>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden="true" />}
          loading={download.isPending}
          onClick={() => download.mutate({ isWhole: false })}
        >
          Download my data
        </Button>
        <Button variant="subtle" disabled={download.isPending} onClick={() => download.mutate({ isWhole: true })}>
          With whole account numbers
        </Button>
      </ButtonRow>
    </SectionCard>
  );
}
