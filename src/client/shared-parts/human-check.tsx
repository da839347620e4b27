import "#client/ui/mantine/fields.css";
import { Button, Checkbox, type CheckboxProps, TextInput, type TextInputProps } from "@mantine/core";
import type { HumanCheckState } from "#client/lib/use-visitor-form.ts";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { humanCheckTexts } from "#shared/accounts/human-check-texts.ts";
import classes from "./human-check.module.css";

type HumanCheckProps = {
  label: string;
  check: HumanCheckState;
  /** The Mantine form's props for the box and the answer. */
  box: CheckboxProps;
  answer: TextInputProps;
  onTick: (isTicked: boolean) => void;
};

/** "I am not a robot": ticking it reveals a sum to answer, another one each time. */
export function HumanCheck({ label, check, box, answer, onTick }: HumanCheckProps) {
  return (
    <div className={classes.check}>
      <Checkbox {...box} label={label} size="md" onChange={(event) => onTick(event.currentTarget.checked)} />
      <div aria-live="polite">
        {box.checked && (
          <div className={classes.question}>
            {check.question ? (
              <TextInput
                {...answer}
                label={`What is ${check.question.first} + ${check.question.second}?`}
                inputMode="numeric"
                autoComplete="off"
                maxLength={20}
              />
            ) : check.hasFailed ? (
              <div className={classes.failure}>
                <p>{humanCheckTexts.failed}</p>
                <Button variant="default" onClick={check.ask}>
                  Try again
                </Button>
              </div>
            ) : (
              <Loading label={humanCheckTexts.loading}>
                <Skeleton width="7rem" height="1.25rem" />
                <Skeleton height="2.625rem" radius="var(--mantine-radius-md)" />
              </Loading>
            )}
          </div>
        )}
      </div>
    </div>
  );
}
