import "#client/ui/mantine/fields.css";
import { ActionIcon, Button, NumberInput, Textarea, TextInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from "@tabler/icons-react";
import { releasePartLimits as limits } from "#shared/projects/release-parts.ts";
import classes from "./project-form.module.css";
import parts from "./release-parts-fields.module.css";
import type { TermsFormState } from "./terms-values.ts";

const blank = { label: "", rate: "", proof: "", afterDays: 0 };

/** "85%" of typed percentages; what isn't a number counts nothing. */
function sumText(typed: readonly { rate: string }[]): string {
  const sum = typed.reduce((total, { rate }) => total + (Number(rate.replace(/[%\s]/g, "")) || 0), 0);
  return `${Math.round(sum * 100) / 100}%`;
}

/** The parts in which the farm gets what was raised. Without any it gets all at once. */
export function ReleasePartsFields({ form, isFrozen }: { form: TermsFormState; isFrozen: boolean }) {
  const { releaseParts } = form.values;
  const field = (path: string) => ({ ...form.getInputProps(path), readOnly: isFrozen });
  const wholeFault = form.errors.releaseParts;
  return (
    <fieldset className={parts.fieldset}>
      <legend className={classes.legend}>Money to the farm</legend>
      <p className={classes.hint}>
        {releaseParts.length === 0
          ? "All that is raised goes to the farm once the round is funded. Parts let it go step by step, each with proof."
          : "The farm asks for each part in this order, somebody checks its proof, and an owner lets it go."}
      </p>
      {releaseParts.length > 0 && (
        <ol className={parts.list}>
          {releaseParts.map((_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part has no name of its own, and its place is what it is.
            <li className={parts.part} key={at}>
              <div className={parts.head}>
                <span className={parts.number}>Part {at + 1}</span>
                {!isFrozen && (
                  <span className={parts.buttons}>
                    <ActionIcon
                      variant="default"
                      size="lg"
                      aria-label={`Move part ${at + 1} up`}
                      disabled={at === 0}
                      onClick={() => form.reorderListItem("releaseParts", { from: at, to: at - 1 })}
                    >
                      <IconArrowUp size={18} />
                    </ActionIcon>
                    <ActionIcon
                      variant="default"
                      size="lg"
                      aria-label={`Move part ${at + 1} down`}
                      disabled={at === releaseParts.length - 1}
                      onClick={() => form.reorderListItem("releaseParts", { from: at, to: at + 1 })}
                    >
                      <IconArrowDown size={18} />
                    </ActionIcon>
                    <ActionIcon
                      variant="default"
                      size="lg"
                      aria-label={`Remove part ${at + 1}`}
                      onClick={() => form.removeListItem("releaseParts", at)}
                    >
                      <IconX size={18} />
                    </ActionIcon>
                  </span>
                )}
              </div>
              <TextInput label="What it is for" maxLength={limits.label.max} {...field(`releaseParts.${at}.label`)} />
              <div className={classes.pair}>
                <TextInput
                  label="Part of what was raised"
                  rightSection="%"
                  inputMode="decimal"
                  {...field(`releaseParts.${at}.rate`)}
                />
                <NumberInput
                  label="Days after the funding"
                  description="At the earliest"
                  hideControls
                  allowDecimal={false}
                  {...field(`releaseParts.${at}.afterDays`)}
                />
              </div>
              <Textarea
                label="Proof"
                description="Optional: what the farm shows, such as a receipt and a photo"
                autosize
                minRows={1}
                maxLength={limits.proof}
                {...field(`releaseParts.${at}.proof`)}
              />
            </li>
          ))}
        </ol>
      )}
      {releaseParts.length > 0 && (
        <p className={parts.sum} aria-live="polite">
          {sumText(releaseParts)} of 100%
        </p>
      )}
      {wholeFault && (
        <p className={parts.fault} role="alert">
          {wholeFault}
        </p>
      )}
      {!isFrozen && releaseParts.length < limits.parts && (
        <Button
          className={parts.add}
          variant="default"
          size="sm"
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          onClick={() => form.insertListItem("releaseParts", blank)}
        >
          {releaseParts.length === 0 ? "Let it go in parts" : "Add a part"}
        </Button>
      )}
    </fieldset>
  );
}
