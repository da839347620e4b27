import { Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useEffect, useRef } from "react";
import { errorText } from "#client/lib/errors.ts";
import { takeLink } from "#client/lib/mailed-link.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/error-state.tsx";
import { LinkButton } from "#client/ui/link-button.tsx";
import { Loading, SkeletonText } from "#client/ui/skeleton.tsx";
import { TextLink } from "#client/ui/text-link.tsx";
import { authTexts, emailField } from "#shared/auth.ts";
import classes from "./auth-card.module.css";
import { AuthCard } from "./auth-card.tsx";

/** Uses the link that brought the person here, at once and only once. */
export function ConfirmEmail() {
  const { mutate, isSuccess, error, isIdle } = trpc.auth.confirmEmail.useMutation();
  const isTaken = useRef(false);
  useEffect(() => {
    if (isTaken.current) return;
    isTaken.current = true;
    const link = takeLink();
    // A link without a token is answered by the server like any other that doesn't work.
    mutate({ token: link?.type === "signup" ? link.token : "" });
  }, [mutate]);

  if (isSuccess) {
    return (
      <AuthCard title="Email confirmed" text="Your account is ready. Sign in with your email and password.">
        <LinkButton to="/login" fullWidth>
          Sign In
        </LinkButton>
      </AuthCard>
    );
  }
  if (error) {
    return (
      <>
        <ErrorState level={1} title="This link did not work" text={errorText(error)} />
        <NewLink />
        <p className={classes.footer}>
          Already confirmed? <TextLink to="/login">Sign in</TextLink>
        </p>
      </>
    );
  }
  return (
    <AuthCard title="Confirming your email" text={isIdle ? "One moment." : "This takes a second."}>
      <Loading label="Confirming your email">
        <SkeletonText lines={2} />
      </Loading>
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
