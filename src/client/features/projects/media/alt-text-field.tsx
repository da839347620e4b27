import "#client/ui/mantine/fields.css";
import { TextInput } from "@mantine/core";
import type { Ref } from "react";
import { isAltTextLong, mediaTexts } from "#shared/projects/media-texts.ts";

type AltTextFieldProps = {
  ref?: Ref<HTMLInputElement>;
  label?: string;
  value: string;
  onChange: (altText: string) => void;
  size?: "sm";
  readOnly?: boolean;
};

/**
 * A field for the description of a picture or film, for people who can't see it. A text that is too long stays, with an
 * error.
 */
export function AltTextField({ label = "What it shows (optional)", value, onChange, ...props }: AltTextFieldProps) {
  return (
    <TextInput
      {...props}
      label={label}
      dir="auto"
      autoComplete="off"
      value={value}
      error={isAltTextLong(value) ? mediaTexts.altTextLong : undefined}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
