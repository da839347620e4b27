import { Button, PasswordInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { ButtonRow } from "#client/ui/button-row.tsx";
import { twoFactorTexts } from "#shared/two-factor-texts.ts";
import classes from "./two-factor.module.css";

type ProofFormProps = {
  text: string;
  submitLabel: string;
  isDangerous?: boolean;
  error: unknown;
  isPending: boolean;
  onSubmit: (proof: string) => void;
  onCancel: () => void;
};

/** Asks who is there before the second factor changes. What was typed survives a refusal. */
export function ProofForm(props: ProofFormProps) {
  const { text, submitLabel, isDangerous, error, isPending, onSubmit, onCancel } = props;
  const [proof, setProof] = useState("");
  const [isMissing, setIsMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isPending) return;
        setIsMissing(proof === "");
        if (proof === "") field.current?.focus();
        else onSubmit(proof);
      }}
    >
      <p className={classes.text}>{text}</p>
      <PasswordInput
        ref={field}
        className={classes.field}
        mb="md"
        label="Your password, or a code"
        description="The code is one from your app, or a recovery code."
        name="proof"
        autoComplete="current-password"
        visibilityToggleButtonProps={{ "aria-label": "Show or hide what you typed", tabIndex: 0 }}
        value={proof}
        onChange={(event) => setProof(event.currentTarget.value)}
        error={isMissing ? twoFactorTexts.proofMissing : error ? errorText(error) : null}
      />
      <ButtonRow>
        <Button type="submit" color={isDangerous ? "red" : undefined} loading={isPending}>
          {submitLabel}
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
}
