import { NativeSelect } from "@mantine/core";
import { IconCircleCheck, IconClock, IconX } from "@tabler/icons-react";
import { StatusBadge, type StatusTone } from "#client/ui/feedback/status-badge.tsx";
import { type PaymentStatus, paymentStatuses, paymentStatusLabels } from "#shared/payment-statuses.ts";
import classes from "./payments.module.css";
import type { AdminPayment } from "./payments-search.ts";

const tones: Record<PaymentStatus, StatusTone> = { pending: "waiting", approved: "positive", rejected: "negative" };
const icons = { pending: IconClock, approved: IconCircleCheck, rejected: IconX };

export function PaymentStatusBadge({ status }: { status: PaymentStatus }) {
  return <StatusBadge tone={tones[status]}>{paymentStatusLabels[status]}</StatusBadge>;
}

type StatusSelectProps = {
  payment: AdminPayment;
  isLocked: boolean;
  /** A wish only: it is confirmed first, and the select shows what the server has. */
  onChoose: (status: PaymentStatus) => void;
};

/** The status as a dropdown, for those who may set it. */
export function StatusSelect({ payment, isLocked, onChoose }: StatusSelectProps) {
  const Icon = icons[payment.status];
  return (
    <NativeSelect
      className={classes.status}
      size="sm"
      aria-label={`Status of ${payment.backerName}'s payment for ${payment.projectTitle}`}
      leftSection={
        <Icon className={classes.statusIcon} data-status={payment.status} size={16} stroke={2.25} aria-hidden="true" />
      }
      disabled={isLocked}
      value={payment.status}
      data={paymentStatuses.map((status) => ({ value: status, label: paymentStatusLabels[status] }))}
      onChange={({ currentTarget }) => {
        const chosen = paymentStatuses.find((status) => status === currentTarget.value);
        if (chosen && chosen !== payment.status) onChoose(chosen);
      }}
    />
  );
}
