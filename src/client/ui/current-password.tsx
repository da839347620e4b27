import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { freshSignInMinutes } from "#shared/account-texts.ts";

export const showToggle = { "aria-label": "Show or hide the password", tabIndex: 0 };

/** Asks for the password the account has; where it has none, says what takes its place. */
export function CurrentPassword({ hasPassword, ...props }: PasswordInputProps & { hasPassword: boolean }) {
  if (!hasPassword) {
    return (
      <p>
        Your account has no password yet. To do this, you must have signed in less than {freshSignInMinutes} minutes
        ago.
      </p>
    );
  }
  return (
    <PasswordInput
      label="Current Password"
      name="currentPassword"
      autoComplete="current-password"
      visibilityToggleButtonProps={showToggle}
      {...props}
    />
  );
}
