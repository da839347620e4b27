import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { WholeNumberInput } from "#client/ui/forms/whole-number-input.tsx";
import { categories } from "#shared/categories.ts";
import { formatNaira, parseNaira } from "#shared/money.ts";
import { projectFormLimits as limits, projectAdminTexts } from "#shared/project-admin-texts.ts";
import type { ProjectFormState } from "./form-values.ts";
import classes from "./project-form.module.css";

type BasicsFieldsProps = { form: ProjectFormState; isGoalLocked?: boolean };

const categoryChoices = [
  { value: "", label: "Select a category" },
  ...categories.map(({ id, name }) => ({ value: id, label: name })),
];

/** What a project is, what it costs, how long it runs and where it is. */
export function BasicsFields({ form, isGoalLocked = false }: BasicsFieldsProps) {
  const goal = parseNaira(form.values.fundingGoal);
  const { length } = form.values.shortDescription;
  return (
    <div className={classes.fields}>
      <TextInput
        label="Project Title"
        description={`${limits.title.min} to ${limits.title.max} characters`}
        withAsterisk
        {...form.getInputProps("title")}
      />
      <NativeSelect label="Category" data={categoryChoices} withAsterisk {...form.getInputProps("category")} />
      <Textarea
        label="Short Description"
        description={`One or two sentences for the project's card, ${length} of ${limits.shortDescription.max} characters`}
        autosize
        minRows={2}
        maxRows={8}
        withAsterisk
        {...form.getInputProps("shortDescription")}
      />
      <div className={classes.pair}>
        <div>
          <TextInput
            label="Funding Goal"
            description={
              isGoalLocked ? projectAdminTexts.goalLocked : "In naira. One backer pays the whole amount, as one lot."
            }
            leftSection="₦"
            inputMode="decimal"
            autoComplete="off"
            readOnly={isGoalLocked}
            withAsterisk
            {...form.getInputProps("fundingGoal")}
          />
          {goal !== null && !form.errors.fundingGoal && (
            <p className={classes.reading}>
              Backers will read <strong className="money">{formatNaira(goal)}</strong>.
            </p>
          )}
        </div>
        <WholeNumberInput
          label="Duration"
          description={`In days, from now: ${limits.durationDays.min} to ${limits.durationDays.max}`}
          withAsterisk
          {...form.getInputProps("duration")}
        />
      </div>
      <TextInput label="Location" description="Optional: the town and state" {...form.getInputProps("location")} />
    </div>
  );
}
