import { TextInput } from "@mantine/core";
import { freshSignInMinutes } from "#shared/account-texts.ts";
import { PasswordField } from "./password-field.tsx";

/** What the account is asked for; see users.account. */
export type ProofWanted = { hasPassword: boolean; isCodeAsked: boolean };

/** Of a Mantine form with these two fields. */
type ProofFields = { getInputProps(field: "currentPassword" | "code"): object };

type OwnProofProps = { account: ProofWanted; form: ProofFields; hasFocus?: boolean };

/** Asks for the password the account has, or says what takes its place, and for a code where it has a second factor. */
export function OwnProof({ account: { hasPassword, isCodeAsked }, form, hasFocus = false }: OwnProofProps) {
  return (
    <>
      {hasPassword ? (
        <PasswordField
          label="Current Password"
          name="currentPassword"
          autoComplete="current-password"
          data-autofocus={hasFocus || undefined}
          {...form.getInputProps("currentPassword")}
        />
      ) : (
        <p>
          Your account has no password yet. To do this, you must have signed in less than {freshSignInMinutes} minutes
          ago.
        </p>
      )}
      {isCodeAsked && (
        <TextInput
          label="Code from the app"
          description="Or one of your recovery codes."
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          data-autofocus={(hasFocus && !hasPassword) || undefined}
          {...form.getInputProps("code")}
        />
      )}
    </>
  );
}
