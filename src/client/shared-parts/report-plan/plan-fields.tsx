import "#client/ui/mantine/fields.css";
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import {
  figureKindLabels,
  figureKinds,
  intervalLabels,
  type PlanTemplate,
  planLimits,
  planTemplates,
  reportIntervals,
  templateLabels,
  weekdayLabels,
} from "#shared/reports/plans-texts.ts";
import { type FigureValues, newFigure, type PlanValues } from "./plan-values.ts";
import classes from "./report-plan.module.css";

type PlanFieldsProps = { values: PlanValues; onChange: (values: PlanValues) => void };

/** How often a farm reports, and until when. */
export function PlanDays({ values, onChange }: PlanFieldsProps) {
  return (
    <div className={classes.fields}>
      <NativeSelect
        label="Reports come"
        value={String(values.everyDays)}
        data={reportIntervals.map((days) => ({ value: String(days), label: intervalLabels[days] }))}
        onChange={({ currentTarget }) =>
          onChange({ ...values, everyDays: reportIntervals.find((days) => String(days) === currentTarget.value) ?? 7 })
        }
      />
      <NativeSelect
        label="On"
        value={String(values.weekday)}
        data={weekdayLabels.map((label, index) => ({ value: String(index + 1), label }))}
        onChange={({ currentTarget }) => onChange({ ...values, weekday: Number(currentTarget.value) })}
      />
      <TextInput
        label="Until"
        description="Empty: until the round is over"
        type="date"
        value={values.endsOn}
        onChange={({ currentTarget }) => onChange({ ...values, endsOn: currentTarget.value })}
      />
    </div>
  );
}

type TemplateSelectProps = {
  label: string;
  description?: string;
  value: PlanTemplate;
  onChange: (template: PlanTemplate) => void;
};

/** The kind of farm, by which figures are filled in. */
export function TemplateSelect({ onChange, ...props }: TemplateSelectProps) {
  return (
    <NativeSelect
      {...props}
      data={planTemplates.map((value) => ({ value, label: templateLabels[value] }))}
      onChange={({ currentTarget }) => onChange(planTemplates.find((value) => value === currentTarget.value) ?? "none")}
    />
  );
}

/** The figures that each report asks for, with what they should be. */
export function PlanFigures({ values, onChange }: PlanFieldsProps) {
  const { figures } = values;
  const setFigures = (next: FigureValues[]) => onChange({ ...values, figures: next });
  const change = (index: number, changed: Partial<FigureValues>) =>
    setFigures(figures.map((figure, at) => (at === index ? { ...figure, ...changed } : figure)));
  return (
    <>
      {figures.map((figure, index) => (
        <fieldset key={figure.key} className={classes.figure}>
          <legend>{figure.label || "New figure"}</legend>
          <div className={classes.fields}>
            <TextInput
              label="Name"
              maxLength={planLimits.label}
              value={figure.label}
              onChange={({ currentTarget }) => change(index, { label: currentTarget.value })}
            />
            <TextInput
              label="Unit"
              maxLength={planLimits.unit}
              value={figure.unit}
              onChange={({ currentTarget }) => change(index, { unit: currentTarget.value })}
            />
            <NativeSelect
              label="It counts"
              value={figure.kind}
              data={figureKinds.map((value) => ({ value, label: figureKindLabels[value] }))}
              onChange={({ currentTarget }) =>
                change(index, { kind: figureKinds.find((kind) => kind === currentTarget.value) ?? "count" })
              }
            />
          </div>
          <Textarea
            label="Planned"
            description="A line each: the week, and what is planned then. Between them a straight line."
            autosize
            minRows={2}
            maxRows={8}
            value={figure.curveText}
            onChange={({ currentTarget }) => change(index, { curveText: currentTarget.value })}
          />
          <div className={classes.figureEnd}>
            <Checkbox
              label="No report without it"
              checked={figure.isRequired}
              onChange={({ currentTarget }) => change(index, { isRequired: currentTarget.checked })}
            />
            {figures.length > planLimits.figures.min && (
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                leftSection={<IconTrash size={16} aria-hidden="true" />}
                onClick={() => setFigures(figures.filter((_, at) => at !== index))}
              >
                Remove
              </Button>
            )}
          </div>
        </fieldset>
      ))}
      {figures.length < planLimits.figures.max && (
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          onClick={() => setFigures([...figures, newFigure(figures)])}
        >
          Add a figure
        </Button>
      )}
    </>
  );
}
