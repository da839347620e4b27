import "#client/ui/mantine/fields.css";
import { Button, Stack, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { authTexts, requestPasswordResetInput, resetLinkMinutes } from "#shared/accounts/inputs.ts";
import { AuthCard, Notice } from "./auth-card.tsx";

/** Asks for a reset link; then says so in the same words for every address. */
export function ForgotPassword({ door }: { door: "public" | "admin" }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [isAnother, setIsAnother] = useState(false);
  const request = trpc.auth.requestPasswordReset.useMutation({ onSuccess: (_, { email }) => setSentTo(email) });
  const form = useForm({
    initialValues: { email: "" },
    validate: schemaResolver(requestPasswordResetInput, { sync: true }),
  });
  const footer = (
    <>
      Remembered it? <TextLink to={door === "admin" ? "/admin/login" : "/login"}>Sign in</TextLink>
    </>
  );

  if (sentTo !== null) {
    const tryAnother = () => {
      setIsAnother(true);
      setSentTo(null);
    };
    return (
      <AuthCard
        title="Check your email"
        text={
          <span role="status">
            If <strong>{sentTo}</strong> has an account, we have sent it a link. Open the link within {resetLinkMinutes}{" "}
            minutes to choose a new password. Nothing there? Look among the spam, too.
          </span>
        }
        footer={footer}
      >
        {/* The button that had the focus is gone: the keyboard goes on here. */}
        <Button fullWidth variant="default" onClick={tryAnother} autoFocus>
          Try Another Email
        </Button>
      </AuthCard>
    );
  }
  const submit = form.onSubmit((values) => {
    if (!request.isPending) request.mutate(requestPasswordResetInput.parse(values));
  });
  return (
    <AuthCard
      title="Forgot your password?"
      text="Tell us your email, and we send you a link to choose a new one."
      footer={footer}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {request.error && !request.isPending && (
            <Notice>
              <p>
                {errorReason(request.error) === "internal" ? authTexts.resetRequestFailed : errorText(request.error)}
              </p>
            </Notice>
          )}
          <TextInput
            label="Email"
            type="email"
            name="email"
            autoComplete="username"
            autoFocus={isAnother}
            {...form.getInputProps("email")}
          />
          <Button type="submit" fullWidth aria-disabled={request.isPending || undefined}>
            {request.isPending ? "Sending..." : "Send Reset Link"}
          </Button>
        </Stack>
      </form>
    </AuthCard>
  );
}
