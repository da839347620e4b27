import { Button } from "@mantine/core";
import { IconCalendarCog } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { planSentence } from "#shared/reports/texts.ts";
import classes from "./report-plan.module.css";

const PlanDialog = lazyDialog(() => import("./plan-dialog.tsx"));

type ChangePlanProps = { projectId: number; plan: RouterOutputs["reports"]["record"]["plan"] };

/** The button that changes what a farm promises to report. */
export function ChangePlan({ projectId, plan }: ChangePlanProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconCalendarCog size={16} aria-hidden="true" />}
        onClick={() => setIsOpen(true)}
      >
        Change plan
      </Button>
      {isOpen && (
        <Suspense>
          <PlanDialog projectId={projectId} plan={plan} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The reporting plan of a project's farm, on the screen that edits the project. */
export function EditReportPlan({ projectId }: { projectId: number }) {
  const record = trpc.reports.record.useQuery({ projectId });
  if (record.isPending) {
    return (
      <Loading label="Loading the plan of reports">
        <Skeleton height="6rem" />
      </Loading>
    );
  }
  if (!record.data) {
    return (
      <ErrorState
        title="The plan of the farm's reports could not be loaded."
        onRetry={() => void record.refetch()}
        isRetrying={record.isRefetching}
      />
    );
  }
  const { plan } = record.data;
  return (
    <SectionCard
      title="Farm's reports"
      text={planSentence(plan)}
      aside={<ChangePlan projectId={projectId} plan={plan} />}
    >
      <p className={classes.fine}>They are asked for from the day on which the round is funded.</p>
    </SectionCard>
  );
}
