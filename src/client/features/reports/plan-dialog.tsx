import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Checkbox, Modal, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterInputs, type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import {
  figureKindLabels,
  figureKinds,
  intervalLabels,
  type PlannedFigure,
  planLimits,
  planTemplates,
  reportIntervals,
  templateLabels,
  weekdayLabels,
} from "#shared/reports/plans-texts.ts";
import { planOfTemplate } from "#shared/reports/templates.ts";
import classes from "./reports.module.css";

type Plan = RouterInputs["reports"]["savePlan"]["plan"];
type Shown = Plan["figures"][number] & { curveText: string };

const curveTextOf = (curve: PlannedFigure["curve"]) =>
  curve?.map(([week, value]) => `${week} ${value}`).join("\n") ?? "";
const shown = (figures: readonly PlannedFigure[]): Shown[] =>
  figures.map((figure) => ({ ...figure, curveText: curveTextOf(figure.curve) }));

/** "0 1000" a line: week and value, the weeks going up. Null for nothing, undefined for what can't be read. */
function readCurve(text: string): PlannedFigure["curve"] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return null;
  const points = lines.map((line) =>
    line
      .trim()
      .split(/[\s:]+/)
      .map(Number),
  );
  const isRising = points.every(([week], index) => index === 0 || (week ?? 0) > (points[index - 1]?.[0] ?? 0));
  const isRead = points.every((point) => point.length === 2 && point.every((value) => value >= 0));
  return isRead && isRising && points.length > 1 ? points.map(([week = 0, value = 0]) => [week, value]) : undefined;
}

type PlanDialogProps = { projectId: number; plan: RouterOutputs["reports"]["record"]["plan"]; onClose: () => void };

/** Changes what a farm promises to report. It holds for the reports after the one that is asked for now. */
export default function PlanDialog({ projectId, plan, onClose }: PlanDialogProps) {
  const utils = trpc.useUtils();
  const [everyDays, setEveryDays] = useState(plan.everyDays);
  const [weekday, setWeekday] = useState(plan.weekday);
  const [endsOn, setEndsOn] = useState(plan.endsOn ?? "");
  const [template, setTemplate] = useState(plan.template);
  const [figures, setFigures] = useState(() => shown(plan.figures));
  const [fault, setFault] = useState<string | null>(null);
  const save = trpc.reports.savePlan.useMutation({
    onSuccess: async () => {
      await utils.reports.invalidate();
      toast.success("The plan is saved.");
      onClose();
    },
    onError: (error) => setFault(errorText(error)),
  });
  const change = (index: number, values: Partial<Shown>) =>
    setFigures(figures.map((figure, at) => (at === index ? { ...figure, ...values } : figure)));
  const submit = () => {
    const read = figures.map(({ curveText, ...figure }) => ({ ...figure, curve: readCurve(curveText) }));
    const unread = read.find(({ curve }) => curve === undefined);
    if (unread)
      return setFault(`The plan of “${unread.label}” needs two lines at least, each a week and a value, like “8 930”.`);
    const nameless = read.find(({ label }) => label.trim() === "");
    if (nameless) return setFault("Give every figure a name.");
    setFault(null);
    const whole = read.map((figure) => ({ ...figure, curve: figure.curve ?? null }));
    save.mutate({ projectId, plan: { template, everyDays, weekday, endsOn: endsOn || null, figures: whole } });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title="What the farm reports"
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form
        className={classes.plan}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!save.isPending) submit();
        }}
      >
        {fault && <Notice tone="negative" isAlert title={fault} />}
        <div className={classes.fields}>
          <NativeSelect
            label="Reports come"
            value={String(everyDays)}
            data={reportIntervals.map((days) => ({ value: String(days), label: intervalLabels[days] }))}
            onChange={({ currentTarget }) =>
              setEveryDays(reportIntervals.find((days) => String(days) === currentTarget.value) ?? 7)
            }
          />
          <NativeSelect
            label="On"
            value={String(weekday)}
            data={weekdayLabels.map((label, index) => ({ value: String(index + 1), label }))}
            onChange={({ currentTarget }) => setWeekday(Number(currentTarget.value))}
          />
          <TextInput
            label="Until"
            description="Empty: until the round is over"
            type="date"
            value={endsOn}
            onChange={({ currentTarget }) => setEndsOn(currentTarget.value)}
          />
          <NativeSelect
            label="Fill in the figures of"
            value={template}
            data={planTemplates.map((value) => ({ value, label: templateLabels[value] }))}
            onChange={({ currentTarget }) => {
              const chosen = planTemplates.find((value) => value === currentTarget.value) ?? "none";
              setTemplate(chosen);
              setFigures(shown(planOfTemplate(chosen).figures));
            }}
          />
        </div>
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
        <p className={classes.fine}>It holds for the reports after the one that is asked for now.</p>
        <ButtonRow>
          <Button type="submit" loading={save.isPending}>
            Save plan
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </ButtonRow>
      </form>
    </Modal>
  );
}

/** A figure with a key that no other has: letters only, because reports keep it for ever. */
function newFigure(figures: readonly Shown[]): Shown {
  const key = [..."abcdefgh"]
    .map((letter) => `own_${letter}`)
    .find((free) => !figures.some((figure) => figure.key === free));
  return { key: key ?? "own", label: "", unit: "", kind: "count", isRequired: false, curve: null, curveText: "" };
}
