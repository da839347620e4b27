import "#client/ui/mantine/fields.css";
import { Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { Clauses } from "#client/ui/layout/clauses.tsx";
import {
  harvestOptionLabels,
  harvestOptions,
  termsClauses,
  termsTexts,
  unitLabels,
  units,
} from "#shared/projects/terms-texts.ts";
import { HarvestPlanFields } from "./harvest-plan-fields.tsx";
import classes from "./project-form.module.css";
import { ReleasePartsFields } from "./release-parts-fields.tsx";
import { readTerms, type TermsFormState, type TermsValues } from "./terms-values.ts";

type TermsFieldsProps = { form: TermsFormState; isFrozen?: boolean };

/** The terms of a round: the plan, the farm's part, costs, fee, choices, insurance, and how the farm gets its money. */
export function TermsFields({ form, isFrozen = false }: TermsFieldsProps) {
  const field = (path: string) => ({ ...form.getInputProps(path), readOnly: isFrozen });
  const { options } = form.values;
  return (
    <div className={classes.fields}>
      <div className={classes.pair}>
        <NativeSelect
          label="Unit"
          description="What the harvest is counted in"
          data={units.map((unit) => ({ value: unit, label: unitLabels[unit].many }))}
          disabled={isFrozen}
          {...form.getInputProps("unit")}
        />
        <TextInput
          label="Planned quantity"
          description="Optional: of all harvests"
          inputMode="decimal"
          {...field("plannedQuantity")}
        />
        <TextInput
          label="Planned price of a unit"
          description="Optional"
          leftSection="₦"
          inputMode="decimal"
          {...field("plannedPrice")}
        />
        <NumberInput
          label="Planned harvests"
          description="Optional: 1 to 60"
          hideControls
          allowDecimal={false}
          {...field("plannedHarvests")}
        />
        <TextInput label="First harvest" description="Optional" type="date" {...field("firstHarvestOn")} />
        <TextInput
          label="Farm's part"
          description="Of the quantity, 0 to 90"
          rightSection="%"
          inputMode="decimal"
          {...field("farmPart")}
        />
        <TextInput
          label="Platform's fee"
          description="Of the sales, 0 to 30"
          rightSection="%"
          inputMode="decimal"
          {...field("fee")}
        />
        <NumberInput
          label="Days to choose"
          description="3 to 60"
          hideControls
          allowDecimal={false}
          {...field("choiceDays")}
        />
        <NumberInput
          label="Days to collect"
          description="1 to 30"
          hideControls
          allowDecimal={false}
          {...field("collectionDays")}
        />
      </div>
      <HarvestPlanFields form={form} isFrozen={isFrozen} />
      <Textarea
        label="Deductible costs"
        description="One on each line. Any other cost is the farm's."
        autosize
        minRows={2}
        maxRows={10}
        {...field("deductibleCosts")}
      />
      <Checkbox.Group label="Backers may" {...form.getInputProps("options")}>
        <div className={classes.choices}>
          {harvestOptions.map((option) => (
            <Checkbox
              key={option}
              value={option}
              label={harvestOptionLabels[option]}
              disabled={isFrozen || (options.length === 1 && options[0] === option)}
            />
          ))}
        </div>
      </Checkbox.Group>
      <TextInput label="Collection place" description="Optional" {...field("collectionPlace")} />
      <Checkbox
        label="The harvest is insured"
        disabled={isFrozen}
        checked={form.values.isInsured}
        onChange={({ currentTarget }) => form.setFieldValue("isInsured", currentTarget.checked)}
      />
      {form.values.isInsured && (
        <div className={classes.pair}>
          <TextInput label="Insurer" {...field("insurance.insurer")} />
          <TextInput label="Policy" {...field("insurance.policy")} />
          <Textarea label="Who is paid, and for what" autosize minRows={2} {...field("insurance.covers")} />
        </div>
      )}
      <ReleasePartsFields form={form} isFrozen={isFrozen} />
    </div>
  );
}

/** The typed terms in the words that backers read before they pay. */
export function TermsPreview({ values }: { values: TermsValues }) {
  const terms = readTerms(values);
  return (
    <section className={classes.fields} aria-labelledby="terms-preview">
      <h3 className={classes.legend} id="terms-preview">
        {termsTexts.preview}
      </h3>
      {terms ? <Clauses clauses={termsClauses(terms)} /> : <p className={classes.hint}>{termsTexts.unreadable}</p>}
    </section>
  );
}
