import { sumOf } from "#shared/money.ts";
import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import { equalParts } from "#shared/harvests/plan.ts";
import { parseQuantity } from "#shared/projects/terms.ts";
import { formatQuantity, quantityText, unitLabels } from "#shared/projects/terms-texts.ts";
import classes from "./project-form.module.css";
import parts from "./release-parts-fields.module.css";
import { plannedParts, readPlan, type TermsFormState } from "./terms-values.ts";

/** The quantity of each harvest, where there are several. Without any they are planned as equal parts. */
export function HarvestPlanFields({ form, isFrozen }: { form: TermsFormState; isFrozen: boolean }) {
  const planned = plannedParts(form.values);
  if (!planned) return null;
  const { quantity, harvests } = planned;
  const inUnit = (thousandths: bigint) => formatQuantity(thousandths, form.values.unit);
  const plan = readPlan(form.values);
  const rest = quantity - sumOf(plan.map((typed) => parseQuantity(typed) ?? 0n));
  const isEach = plan.length > 0;
  return (
    <fieldset className={parts.fieldset}>
      <legend className={classes.legend}>Plan of each harvest</legend>
      <p className={classes.hint}>
        {isEach
          ? "A harvest that stays under 90% of its own plan needs a reason and a photo."
          : `Equal parts: about ${inUnit(quantity / BigInt(harvests))} each. Plan them one by one if later harvests are smaller by nature.`}
      </p>
      {isEach && (
        <div className={parts.harvests}>
          {plan.map((typed, at) => (
            <TextInput
              // biome-ignore lint/suspicious/noArrayIndexKey: a harvest is its place.
              key={at}
              label={`Harvest ${at + 1}, in ${unitLabels[form.values.unit].many}`}
              inputMode="decimal"
              {...form.getInputProps(`harvestPlan.${at}`)}
              value={typed}
              readOnly={isFrozen}
            />
          ))}
        </div>
      )}
      {isEach && (
        <p className={parts.sum} aria-live="polite">
          {rest === 0n
            ? `All ${inUnit(quantity)} are given`
            : rest > 0n
              ? `${inUnit(rest)} of ${inUnit(quantity)} still to give`
              : `${inUnit(-rest)} more than the ${inUnit(quantity)} in all`}
        </p>
      )}
      {form.errors.harvestPlan && (
        <p className={parts.fault} role="alert">
          {form.errors.harvestPlan}
        </p>
      )}
      {!isFrozen && (
        <Button
          className={parts.add}
          variant="default"
          size="sm"
          onClick={() =>
            form.setFieldValue("harvestPlan", isEach ? [] : equalParts(quantity, harvests).map(quantityText))
          }
        >
          {isEach ? "Equal parts" : "Plan each harvest"}
        </Button>
      )}
    </fieldset>
  );
}
