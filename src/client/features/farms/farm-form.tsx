import "#client/ui/mantine/fields.css";
import { Button, NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ReactNode } from "react";
import { errorReason, errorText, fieldErrors } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import type { FarmFormInput } from "#shared/farms/inputs.ts";
import { farmLimits as limits, nigerianStates } from "#shared/farms/texts.ts";
import { type Farm, faultsOfFarm, toInput, valuesOfFarm } from "./farm-values.ts";
import classes from "./farms.module.css";

type FarmFormProps = {
  farm?: Farm;
  submitLabel: string;
  /** Said where the server doesn't take it and no field is at fault. */
  failure: string;
  onSave: (input: FarmFormInput) => Promise<unknown>;
  isSaving: boolean;
  /** Stands above the button: what happened when it was saved. */
  children?: ReactNode;
};

const stateChoices = [{ value: "", label: "Select a state" }, ...nigerianStates];

/** A farm's data. Backers read all of it but the registration. */
export function FarmForm({ farm, submitLabel, failure, onSave, isSaving, children }: FarmFormProps) {
  const form = useForm({ initialValues: valuesOfFarm(farm), validate: faultsOfFarm });
  const { length } = form.values.story;
  const focusFirst = (faults: Record<string, unknown>) => {
    const [first] = Object.keys(faults);
    if (first !== undefined) form.getInputNode(first)?.focus();
  };
  const save = async () => {
    try {
      await onSave(toInput(form.values));
      form.resetDirty();
    } catch (error) {
      const faults = fieldErrors(error);
      form.setErrors(faults);
      focusFirst(faults);
      if (Object.keys(faults).length === 0 && errorReason(error) !== "conflict") toast.error(failure, errorText(error));
    }
  };
  return (
    <form className={classes.form} noValidate onSubmit={form.onSubmit(() => void save(), focusFirst)}>
      <div className={classes.pair}>
        <TextInput label="Name" description="As backers read it" withAsterisk {...form.getInputProps("name")} />
        <TextInput
          label="Registration"
          description="Optional: its number at the CAC or the cooperative's. Not shown to backers."
          {...form.getInputProps("registration")}
        />
        <NativeSelect label="State" data={stateChoices} withAsterisk {...form.getInputProps("state")} />
        <TextInput label="Place" placeholder="Epe" {...form.getInputProps("place")} />
        <TextInput
          label="Latitude"
          description="Optional, like 6.6. Kept to about 11 km."
          inputMode="decimal"
          autoComplete="off"
          {...form.getInputProps("latitude")}
        />
        <TextInput
          label="Longitude"
          description="Optional, like 3.9"
          inputMode="decimal"
          autoComplete="off"
          {...form.getInputProps("longitude")}
        />
        <NumberInput
          label="Farming since"
          description="Optional: the year"
          allowNegative={false}
          allowDecimal={false}
          hideControls
          autoComplete="off"
          {...form.getInputProps("sinceYear")}
        />
      </div>
      <Textarea
        label="Story"
        description={`Who they are, and what they have grown so far, ${length.toLocaleString("en")} of ${limits.story.toLocaleString("en")} characters`}
        autosize
        minRows={3}
        maxRows={14}
        {...form.getInputProps("story")}
      />
      <fieldset className={classes.visit}>
        <legend>Last visit</legend>
        <div className={classes.pair}>
          <TextInput label="Visited on" type="date" {...form.getInputProps("visitedOn")} />
          <TextInput label="Visited by" {...form.getInputProps("visitedBy")} />
        </div>
        <Textarea label="What was seen" autosize minRows={2} maxRows={8} {...form.getInputProps("visitNote")} />
      </fieldset>
      {children}
      <ButtonRow>
        <Button type="submit" loading={isSaving}>
          {submitLabel}
        </Button>
      </ButtonRow>
      <LeaveGuard isActive={form.isDirty() && !isSaving} title="Leave without saving?" confirmLabel="Leave">
        What you typed about this farm is not saved yet.
      </LeaveGuard>
    </form>
  );
}
