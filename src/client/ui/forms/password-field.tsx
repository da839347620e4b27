import { PasswordInput, type PasswordInputProps } from "@mantine/core";

/** A password that can be shown. Mantine's own doesn't say to readers that it is wrong. */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      aria-invalid={props.error ? true : undefined}
      visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0 }}
      {...props}
    />
  );
}
