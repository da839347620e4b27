import "#client/ui/mantine/overlays.css";
import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { PlanDays, PlanFigures, TemplateSelect } from "./plan-fields.tsx";
import { readPlanValues, valuesOfPlan, withTemplate } from "./plan-values.ts";
import classes from "./report-plan.module.css";

type PlanDialogProps = { projectId: number; plan: RouterOutputs["reports"]["record"]["plan"]; onClose: () => void };

/** Changes what a farm promises to report. It holds for the reports after the one that is asked for now. */
export default function PlanDialog({ projectId, plan, onClose }: PlanDialogProps) {
  const utils = trpc.useUtils();
  const [values, setValues] = useState(() => valuesOfPlan(plan));
  const [fault, setFault] = useState<string | null>(null);
  const save = trpc.reports.savePlan.useMutation({
    onSuccess: async () => {
      await utils.reports.invalidate();
      toast.success("The plan is saved.");
      onClose();
    },
    onError: (error) => setFault(errorText(error)),
  });
  const submit = () => {
    const read = readPlanValues(values);
    setFault("fault" in read ? read.fault : null);
    if ("plan" in read) save.mutate({ projectId, plan: read.plan });
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
        <PlanDays values={values} onChange={setValues} />
        <TemplateSelect
          label="Fill in the figures of"
          value={values.template}
          onChange={(template) => setValues(withTemplate(values, template))}
        />
        <PlanFigures values={values} onChange={setValues} />
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
