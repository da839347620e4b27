import "#client/ui/mantine/fields.css";
import { Button, Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRef } from "react";
import { errorReason, errorText, fieldErrors } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { koboToNairaText } from "#shared/money.ts";
import { type TermsFormInput, termsForm } from "#shared/terms.ts";
import {
  type HarvestOption,
  harvestOptionLabels,
  harvestOptions,
  quantityText,
  rateText,
  termsTexts,
  type Unit,
  unitLabels,
  units,
} from "#shared/terms-texts.ts";
import type { EditedProject } from "./form-values.ts";
import classes from "./project-form.module.css";

/** The form as it is typed. */
type Values = {
  unit: Unit;
  plannedQuantity: string;
  plannedPrice: string;
  plannedHarvests: number | string;
  firstHarvestOn: string;
  farmPart: string;
  deductibleCosts: string;
  fee: string;
  options: HarvestOption[];
  collectionPlace: string;
  choiceDays: number | string;
  collectionDays: number | string;
  isInsured: boolean;
  insurance: { insurer: string; policy: string; covers: string };
};

function valuesOf(terms: EditedProject["terms"]): Values {
  const { unit, plannedQuantity, plannedPriceKobo, plannedHarvests, firstHarvestOn, insurance } = terms;
  const { options, collectionPlace, choiceDays, collectionDays } = terms;
  return {
    ...{ unit, options, collectionPlace, choiceDays, collectionDays },
    plannedQuantity: plannedQuantity === null ? "" : quantityText(plannedQuantity),
    plannedPrice: plannedPriceKobo === null ? "" : koboToNairaText(plannedPriceKobo),
    plannedHarvests: plannedHarvests ?? "",
    firstHarvestOn: firstHarvestOn ?? "",
    farmPart: rateText(terms.farmPartRate),
    deductibleCosts: terms.deductibleCosts.join("\n"),
    fee: rateText(terms.feeRate),
    isInsured: insurance !== null,
    insurance: insurance ?? { insurer: "", policy: "", covers: "" },
  };
}

/** What the form sends. A cost stands on a line of its own. */
function inputOf({ isInsured, insurance, deductibleCosts, ...values }: Values): TermsFormInput {
  const costs = deductibleCosts.split("\n").filter((line) => line.trim() !== "");
  return {
    ...values,
    plannedHarvests: values.plannedHarvests === "" ? null : values.plannedHarvests,
    firstHarvestOn: values.firstHarvestOn || null,
    deductibleCosts: costs,
    insurance: isInsured ? insurance : null,
  } as TermsFormInput;
}

type EditTermsProps = {
  project: EditedProject;
  /** Asks what is stored now: another version begins the form anew. */
  onReload: () => void;
};

/** The harvest terms of the project's round, saved by themselves. They are frozen while the round is locked. */
export function EditTerms({ project, onReload }: EditTermsProps) {
  const { terms, lockedBy } = project;
  const isFrozen = lockedBy !== null;
  const utils = trpc.useUtils();
  const form = useForm<Values>({ initialValues: valuesOf(terms) });
  const element = useRef<HTMLFormElement>(null);
  const showFaults = (faults: Record<string, string>) => {
    form.setErrors(faults);
    const [first] = Object.keys(faults);
    if (first) element.current?.querySelector<HTMLElement>(`[data-path="${first}"]`)?.focus();
  };
  const update = trpc.projects.updateTerms.useMutation({
    onSuccess: () => {
      toast.success(termsTexts.saved);
      form.resetDirty();
      void utils.projects.invalidate();
      onReload();
    },
    onError: (error) => {
      toast.error(termsTexts.saveFailed, errorText(error));
      showFaults(fieldErrors(error));
    },
  });
  const save = () => {
    const input = inputOf(form.values);
    const faults: Record<string, string> = {};
    for (const { path, message } of termsForm.safeParse(input).error?.issues ?? []) faults[path.join(".")] ??= message;
    if (Object.keys(faults).length > 0) return showFaults(faults);
    update.mutate({ ...input, projectId: project.id, seenVersion: terms.version });
  };
  const field = (path: string) => ({ ...form.getInputProps(path), readOnly: isFrozen });
  const options = form.values.options;
  return (
    <form
      ref={element}
      className={classes.card}
      noValidate
      aria-labelledby="edit-terms"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <h2 className={classes.heading} id="edit-terms">
        Harvest terms
      </h2>
      {lockedBy && <Notice tone="neutral" title={termsTexts.frozen[lockedBy]} />}
      <div className={classes.fields}>
        <div className={classes.pair}>
          <NativeSelect
            label="Unit"
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
      </div>
      {update.isError && errorReason(update.error) === "conflict" && (
        <Notice tone="caution" title={errorText(update.error)} isAlert>
          <p>What you typed is still here, and isn't saved.</p>
          <ButtonRow>
            <Button size="sm" variant="default" onClick={onReload}>
              Load what is stored
            </Button>
          </ButtonRow>
        </Notice>
      )}
      {!isFrozen && (
        <ButtonRow>
          <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
            Save harvest terms
          </Button>
        </ButtonRow>
      )}
      <LeaveGuard isActive={form.isDirty() && !update.isSuccess} title="Leave without saving?" confirmLabel="Leave">
        Your changes to the harvest terms are not saved yet.
      </LeaveGuard>
    </form>
  );
}
