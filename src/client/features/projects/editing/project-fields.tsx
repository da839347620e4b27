import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import "#client/ui/mantine/fields.css";
import { Button, Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { Suspense } from "react";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { formatNaira, type Kobo, parseNaira } from "#shared/money.ts";
import { projectFormLimits as limits, projectAdminTexts, type RoundLock } from "#shared/projects/admin-texts.ts";
import { categories } from "#shared/projects/categories.ts";
import { FarmPicker } from "./farm-picker.tsx";
import { emptyReward, type ProjectFormState } from "./form-values.ts";
import { ImageField } from "./image-field.tsx";
import classes from "./project-form.module.css";
import { focusField } from "./use-project-form.ts";

/** A count: digits only, which the arrow keys move by one. */
const wholeNumber = { min: 0, allowNegative: false, allowDecimal: false, hideControls: true, autoComplete: "off" };

type BasicsFieldsProps = {
  form: ProjectFormState;
  /** The reason why goal and lots can't be changed. */
  lockedBy?: RoundLock | null;
  /** Lots of the round are sold: it stays with its farm. */
  isFarmFixed?: boolean;
};

const categoryChoices = [
  { value: "", label: "Select a category" },
  ...categories.map(({ id, name }) => ({ value: id, label: name })),
];

/** A project's title, category, short description, goal and lots, duration and place. */
export function BasicsFields({ form, lockedBy = null, isFarmFixed = false }: BasicsFieldsProps) {
  const goal = parseNaira(form.values.fundingGoal);
  const lotPrice = goal === null ? null : wholeLotPrice(goal, form.values.lots);
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
            description={lockedBy ? projectAdminTexts.goalLocked[lockedBy] : "In naira: all lots together."}
            leftSection="₦"
            inputMode="decimal"
            autoComplete="off"
            readOnly={lockedBy !== null}
            withAsterisk
            {...form.getInputProps("fundingGoal")}
          />
          {goal !== null && !form.errors.fundingGoal && (
            <p className={classes.reading}>
              Backers will read <strong className="money">{formatNaira(goal)}</strong>.
            </p>
          )}
        </div>
        <div>
          <NumberInput
            {...wholeNumber}
            label="Number of lots"
            description={
              lockedBy ? projectAdminTexts.lotsLocked[lockedBy] : "With one lot, one backer pays the whole amount."
            }
            readOnly={lockedBy !== null}
            withAsterisk
            {...form.getInputProps("lots")}
          />
          {lotPrice !== null && (
            <p className={classes.reading}>
              A lot costs <strong className="money">{formatNaira(lotPrice)}</strong>.
            </p>
          )}
        </div>
        {Number(form.values.lots) > 1 && (
          <NumberInput
            {...wholeNumber}
            label="Minimum lots"
            description="From how many lots on the farm starts. Empty: all of them."
            readOnly={lockedBy !== null}
            {...form.getInputProps("minimumLots")}
          />
        )}
        <NumberInput
          {...wholeNumber}
          label="Duration"
          description={`In days, from now: ${limits.durationDays.min} to ${limits.durationDays.max}`}
          withAsterisk
          {...form.getInputProps("duration")}
        />
      </div>
      <div className={classes.pair}>
        <FarmPicker form={form} isFixed={isFarmFixed} />
        <TextInput label="Location" description="Optional: the town and state" {...form.getInputProps("location")} />
      </div>
    </div>
  );
}

/** The price of a lot in kobo, if the goal divides into so many lots of whole naira. */
function wholeLotPrice(goal: Kobo, lots: number | string): Kobo | null {
  const count = BigInt(Math.trunc(Number(lots)) || 0);
  if (count < 2n || goal % (count * 100n) !== 0n) return null;
  return goal / count;
}

const TextEditor = lazyPart(() => import("#client/ui/text-editor/text-editor.tsx"));

type StoryFieldsProps = { form: ProjectFormState; onUploading: (isUploading: boolean) => void };

/** The full description, the video and the main image. */
export function StoryFields({ form, onUploading }: StoryFieldsProps) {
  const { description } = form.values;
  return (
    <div className={classes.fields}>
      <Suspense
        fallback={
          <Loading label="Loading the editor">
            <Skeleton height="22rem" />
          </Loading>
        }
      >
        <TextEditor
          label="Full Description"
          description="Who runs the farm, what the money buys, what happens at harvest, what can go wrong. At least 50 characters."
          path="description"
          value={description}
          error={form.errors.description}
          onChange={(html) => form.setFieldValue("description", html)}
        />
      </Suspense>
      <TextInput
        label="Video URL"
        description="Optional: a YouTube or Vimeo address"
        type="url"
        inputMode="url"
        placeholder="https://"
        {...form.getInputProps("videoUrl")}
      />
      <ImageField form={form} onUploading={onUploading} />
    </div>
  );
}

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
          <NumberInput {...wholeNumber} label="Quantity" withAsterisk {...form.getInputProps(`${path}.quantity`)} />
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
