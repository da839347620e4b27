import { Button } from "@mantine/core";
import { useRef } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { StatusBadge, type StatusTone } from "#client/ui/feedback/status-badge.tsx";
import { type ApplicantStatus, applicantStatuses, applicantStatusLabels } from "#shared/applicant-statuses.ts";
import { applicantStatusChanged, applicantTexts } from "#shared/applicant-texts.ts";
import classes from "./applicant-detail.module.css";

const tones: Record<ApplicantStatus, StatusTone> = {
  new: "waiting",
  reviewed: "neutral",
  contacted: "positive",
  rejected: "negative",
};

export function ApplicantBadge({ status }: { status: ApplicantStatus }) {
  return <StatusBadge tone={tones[status]}>{applicantStatusLabels[status]}</StatusBadge>;
}

type StatusButtonsProps = { applicationId: number; status: ApplicantStatus };

/** The four statuses, the present one pressed. One change at a time; what is shown changes with the server's answer. */
export function StatusButtons({ applicationId, status }: StatusButtonsProps) {
  const utils = trpc.useUtils();
  const isRunning = useRef(false);
  const mutation = trpc.careers.setApplicantStatus.useMutation({
    onSuccess: (changed) => {
      toast.success(applicantStatusChanged(changed.status));
      utils.careers.applicant.setData({ applicationId }, (shown) => shown && { ...shown, status: changed.status });
    },
    onError: (error) => toast.error(applicantTexts.updateFailed, errorText(error)),
    onSettled: async () => {
      isRunning.current = false;
      await utils.careers.invalidate();
    },
  });
  return (
    <fieldset className={classes.statuses} aria-busy={mutation.isPending}>
      <legend className={classes.legend}>Status</legend>
      {applicantStatuses.map((one) => (
        <Button
          key={one}
          size="sm"
          variant={one === status ? "filled" : "default"}
          aria-pressed={one === status}
          loading={mutation.isPending && mutation.variables.status === one}
          onClick={() => {
            if (one === status || isRunning.current) return;
            isRunning.current = true;
            mutation.mutate({ applicationId, status: one });
          }}
        >
          {applicantStatusLabels[one]}
        </Button>
      ))}
    </fieldset>
  );
}
