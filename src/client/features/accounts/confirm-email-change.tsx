import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { useMailedLink } from "#client/lib/mailed-link.ts";
import { useViewer } from "#client/lib/session/session.ts";
import { useSite } from "#client/lib/site.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { PasswordField } from "#client/ui/forms/password-field.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { authTexts } from "#shared/accounts/inputs.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import classes from "./account.module.css";

/** The page of the link to a new address: nothing changes before the person says so, and shows whose account it is. */
export function ConfirmEmailChange() {
  const { token, link, error } = useMailedLink("change_email");
  const [fault, setFault] = useState<string | null>(null);
  const [changed, setChanged] = useState<string | null>(null);
  const viewer = useViewer();

  const next = viewer ? (
    <LinkButton to="/profile/account">Go to my account</LinkButton>
  ) : (
    <LinkButton to="/login">Sign In</LinkButton>
  );
  if (changed !== null) {
    return (
      <SectionCard
        title="Email changed"
        level={1}
        text={
          <>
            From now on you sign in with <strong>{changed}</strong>, and we write to it. Your other devices were signed
            out.
          </>
        }
      >
        {next}
      </SectionCard>
    );
  }
  if (error || fault) {
    return <ErrorState level={1} title="This link did not work" text={fault ?? errorText(error)} action={next} />;
  }
  if (!link) {
    return (
      <Loading label="Opening your link">
        <SkeletonText lines={2} />
      </Loading>
    );
  }
  return <Confirm token={token} link={link} onDone={setChanged} onInvalid={setFault} />;
}

type ConfirmProps = {
  token: string;
  link: NonNullable<ReturnType<typeof useMailedLink>["link"]>;
  onDone: (email: string) => void;
  onInvalid: (text: string) => void;
};

function Confirm({ token, link: { email, proof }, onDone, onInvalid }: ConfirmProps) {
  const site = useSite();
  const utils = trpc.useUtils();
  const asksPassword = proof === "password";
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    initialValues: { password: "" },
    validate: { password: (value) => (asksPassword && value === "" ? authTexts.linkPasswordMissing : null) },
  });
  const confirm = trpc.users.confirmEmailChange.useMutation({
    onSuccess: async (changed) => {
      await Promise.all([utils.auth.viewer.invalidate(), utils.users.account.invalidate()]);
      onDone(changed.email);
    },
    onError: (error) => {
      const text = errorText(error);
      if (text === accountTexts.emailLinkInvalid) return onInvalid(text);
      if (text === authTexts.linkPasswordWrong) {
        form.setErrors({ password: text });
        form.getInputNode("password")?.focus();
      } else setProblem(text);
    },
  });
  const submit = form.onSubmit(
    ({ password }) => {
      setProblem(null);
      confirm.mutate({ token, ...(asksPassword && { password }) });
    },
    () => form.getInputNode("password")?.focus(),
  );
  if (proof === "sign_in") {
    return (
      <SectionCard title="Confirm your new email" level={1} text={authTexts.linkSignInFirst}>
        <LinkButton to="/login">Sign In</LinkButton>
      </SectionCard>
    );
  }
  return (
    <SectionCard
      title="Confirm your new email"
      level={1}
      text={
        asksPassword ? (
          <>
            Somebody who is signed in to a {site.name} account asked to use <strong>{email}</strong> for it. If that was
            you, enter that account's password. If it wasn't, close this page: nothing changes.
          </>
        ) : (
          <>
            From then on you sign in with <strong>{email}</strong>, and your other devices are signed out.
          </>
        )
      }
    >
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <form className={classes.form} onSubmit={submit} noValidate>
        {asksPassword && (
          <PasswordField
            label="Password of that account"
            name="password"
            autoComplete="current-password"
            {...form.getInputProps("password")}
          />
        )}
        <Button className={classes.action} type="submit" loading={confirm.isPending}>
          Change email
        </Button>
      </form>
    </SectionCard>
  );
}
