import "#client/ui/mantine/fields.css";
import { Button, Checkbox, Stack, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useId, useState } from "react";
import { errorReason, errorText, fieldErrors } from "#client/lib/errors.ts";
import { useStartSession } from "#client/lib/session/start-session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { PasswordField, PasswordStrength } from "#client/ui/forms/password-field.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { authTexts, signUpForm } from "#shared/accounts/inputs.ts";
import { passwordFault } from "#shared/accounts/password.ts";
import { Notice } from "./auth-card.tsx";
import { GoogleButton } from "./google-button.tsx";

const firstValues = { fullName: "", email: "", password: "", acceptTerms: false };

type SignUpFormProps = {
  /** A path of ours that the person was going to. */
  next?: string | undefined;
  onSignedUp: () => void;
  /** The account is there, and its address has to be confirmed first. */
  onSent: (email: string) => void;
};

/** A new account. What was typed survives every refusal. */
export function SignUpForm({ next, onSignedUp, onSent }: SignUpFormProps) {
  const strengthId = useId();
  const utils = trpc.useUtils();
  const startSession = useStartSession();
  // Asked for at once, so that its cookie is there before the form is sent.
  trpc.auth.formToken.useQuery(undefined, { staleTime: 0 });
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({ initialValues: firstValues, validate: schemaResolver(signUpForm, { sync: true }) });

  const signUp = trpc.auth.signUp.useMutation({
    onSuccess: async ({ isSignedIn }, { email }) => {
      if (!isSignedIn) return onSent(email);
      // The account is there, whatever comes after: a failed look at the session must not ask for the form again.
      const viewer = await startSession().catch(() => null);
      toast.success("Account created", viewer ? undefined : authTexts.signInNow);
      onSignedUp();
    },
    onError: (error) => {
      const faults = fieldErrors(error);
      form.setErrors(faults);
      focusFirst(faults);
      setProblem(Object.keys(faults).length > 0 ? null : errorText(error));
      if (errorReason(error) === "internal") toast.error(authTexts.accountFailed);
    },
  });
  // The button stands far below the first field on a phone.
  const focusFirst = (errors: Record<string, unknown>) => {
    const field = Object.keys(firstValues).find((name) => errors[name] !== undefined);
    if (field) form.getInputNode(field)?.focus();
  };
  const isWaiting = signUp.isPending || signUp.isSuccess;

  const submit = form.onSubmit(async (values) => {
    if (isWaiting) return;
    setProblem(null);
    try {
      const { token } = utils.auth.formToken.getData() ?? (await utils.auth.formToken.fetch());
      signUp.mutate({ ...signUpForm.parse(values), formToken: token, next });
    } catch (error) {
      // Nothing was sent yet: without its token no form is taken.
      setProblem(errorText(error));
      if (errorReason(error) === "internal") toast.error(authTexts.signUpFailed);
    }
  }, focusFirst);

  return (
    <form onSubmit={submit} noValidate>
      <GoogleButton label="Sign up with Google" door="public" purpose="sign-up" next={next}>
        <Stack gap="md">
          {problem && (
            <Notice>
              <p>{problem}</p>
            </Notice>
          )}
          <TextInput label="Full Name" name="name" autoComplete="name" {...form.getInputProps("fullName")} />
          <TextInput label="Email" type="email" name="email" autoComplete="email" {...form.getInputProps("email")} />
          <PasswordField
            label="Password"
            name="password"
            autoComplete="new-password"
            aria-describedby={strengthId}
            {...form.getInputProps("password")}
          />
          <PasswordStrength password={form.values.password} id={strengthId} />
          <Checkbox
            label={
              <>
                I agree to the{" "}
                <TextLink to="/terms" target="_blank" inherit>
                  terms of service
                </TextLink>
              </>
            }
            description={
              <>
                How we handle your data:{" "}
                <TextLink to="/privacy" target="_blank" inherit>
                  privacy policy
                </TextLink>
                . Both open in a new tab, and what you typed stays.
              </>
            }
            name="acceptTerms"
            {...form.getInputProps("acceptTerms", { type: "checkbox" })}
          />
          <Button
            type="submit"
            fullWidth
            disabled={passwordFault(form.values.password) !== null}
            aria-disabled={isWaiting || undefined}
          >
            {isWaiting ? "Creating Account..." : "Create Account"}
          </Button>
        </Stack>
      </GoogleButton>
    </form>
  );
}
