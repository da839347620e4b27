import { Button, Checkbox, Textarea, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { WholeNumberInput } from "#client/ui/forms/whole-number-input.tsx";
import { projectFormLimits as limits } from "#shared/project-admin-texts.ts";
import { emptyReward, type ProjectFormState } from "./form-values.ts";
import classes from "./project-form.module.css";
import { focusField } from "./use-project-form.ts";

/** The reward tiers: what a backer is promised, and for how much. */
export function RewardFields({ form }: { form: ProjectFormState }) {
  const { rewards } = form.values;
  const add = () => {
    form.insertListItem("rewards", emptyReward());
    focusField(form, `rewards.${rewards.length}.title`);
  };
  return (
    <div className={classes.fields}>
      {rewards.map((reward, index) => (
        <RewardTier
          key={reward.key}
          form={form}
          index={index}
          onRemove={() => {
            form.removeListItem("rewards", index);
            focusField(form, rewards.length > 1 ? `rewards.${Math.max(0, index - 1)}.title` : undefined);
          }}
        />
      ))}
      {rewards.length === 0 && <p className={classes.hint}>This project has no rewards.</p>}
      {rewards.length < limits.rewards.max && (
        <Button
          variant="default"
          className={classes.add}
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          onClick={add}
        >
          Add Another Reward Tier
        </Button>
      )}
    </div>
  );
}

type RewardTierProps = { form: ProjectFormState; index: number; onRemove: () => void };

function RewardTier({ form, index, onRemove }: RewardTierProps) {
  const path = `rewards.${index}`;
  const reward = form.values.rewards[index];
  if (!reward) return null;
  return (
    <fieldset className={classes.tier}>
      <legend className={classes.legend}>Reward tier {index + 1}</legend>
      <div className={classes.pair}>
        <TextInput label="Reward name" withAsterisk {...form.getInputProps(`${path}.title`)} />
        <TextInput
          label="Amount"
          leftSection="₦"
          inputMode="decimal"
          autoComplete="off"
          withAsterisk
          {...form.getInputProps(`${path}.amount`)}
        />
      </div>
      <Textarea
        label="What the backer gets"
        autosize
        minRows={2}
        maxRows={6}
        withAsterisk
        {...form.getInputProps(`${path}.description`)}
      />
      <div className={classes.tierEnd}>
        <Checkbox
          label="Unlimited quantity"
          checked={reward.isUnlimited}
          onChange={({ currentTarget }) => form.setFieldValue(`${path}.isUnlimited`, currentTarget.checked)}
        />
        {!reward.isUnlimited && (
          <WholeNumberInput label="Quantity" withAsterisk {...form.getInputProps(`${path}.quantity`)} />
        )}
        <Button
          variant="subtle"
          color="red"
          size="sm"
          className={classes.remove}
          leftSection={<IconTrash size={16} aria-hidden="true" />}
          aria-label={`Remove reward tier ${index + 1}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      </div>
    </fieldset>
  );
}
