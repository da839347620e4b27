import "#client/ui/mantine/fields.css";
import { Button, Textarea } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { type ReactNode, useRef, useState } from "react";
import type { z } from "zod";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { reasonInput } from "#shared/second-person/reason.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import classes from "./reason-form.module.css";

export type ReasonFormProps = {
  /** The form's name for screen readers; in a dialog its title says it. */
  label?: string;
  description: string;
  submitLabel: string;
  /** "Cancel" by default: an act that cancels something needs another word. */
  cancelLabel?: string;
  isDangerous?: boolean;
  /** Reads the reason. By default, as `maxLength`, the rule of acts that take two people. */
  schema?: z.ZodType<{ reason: string }>;
  maxLength?: number;
  /** A reason that was typed before. */
  initial?: string;
  /** Resolves when it is done; a refusal is shown here. */
  onSubmit: (reason: string) => Promise<unknown>;
  onCancel: () => void;
  children?: ReactNode;
};

/** Asks for the words that go with an act. What was typed survives a refusal. */
export function ReasonForm(props: ReasonFormProps) {
  const {
    label,
    description,
    submitLabel,
    cancelLabel = "Cancel",
    isDangerous,
    schema = reasonInput,
    maxLength = secondPersonLimits.reasonMax,
    initial = "",
    onSubmit,
    onCancel,
    children,
  } = props;
  const [isPending, setIsPending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const form = useForm({ initialValues: { reason: initial }, validate: schemaResolver(schema, { sync: true }) });
  const { problem, refuse, forgetProblem } = useRefusal(form, false);
  const submit = form.onSubmit(async ({ reason }) => {
    if (isPending) return;
    setIsPending(true);
    forgetProblem();
    await onSubmit(reason).catch((error) => {
      refuse(error);
      // A button that is busy loses the keyboard.
      if (document.activeElement === document.body) field.current?.focus();
    });
    setIsPending(false);
  });
  return (
    <form className={classes.form} onSubmit={submit} noValidate aria-label={label}>
      {children}
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <Textarea
        ref={field}
        label="Reason"
        description={description}
        autosize
        minRows={3}
        maxRows={8}
        maxLength={maxLength}
        data-autofocus
        {...form.getInputProps("reason")}
      />
      <ButtonRow>
        <Button type="submit" color={isDangerous ? "red" : undefined} loading={isPending}>
          {submitLabel}
        </Button>
        <Button variant="default" disabled={isPending} onClick={onCancel}>
          {cancelLabel}
        </Button>
      </ButtonRow>
    </form>
  );
}
