import "#client/ui/mantine/fields.css";
import { Button, NativeSelect } from "@mantine/core";
import { IconCircleCheck, IconClock, IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { CopyButton } from "#client/ui/feedback/copy-button.tsx";
import { StatusBadge, type StatusTone } from "#client/ui/feedback/status-badge.tsx";
import type { Column } from "#client/ui/lists/data-table.tsx";
import { formatDate, formatTime } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { type PaymentStatus, paymentStatuses, paymentStatusLabels } from "#shared/payment-statuses.ts";
import { arrivalTexts, refundDueLabel } from "#shared/payments-texts.ts";
import { countLots } from "#shared/projects-texts.ts";
import { BankStateMark } from "./bank-state.tsx";
import classes from "./payments.module.css";
import type { AdminPayment } from "./payments-search.ts";

type PaymentColumnsInput = {
  canProcess: boolean;
  isLocked: boolean;
  onChoose: (payment: AdminPayment, status: PaymentStatus) => void;
  onView: (payment: AdminPayment) => void;
};

/** The columns of /admin/payments; the status is a dropdown for those who may set it. */
export function paymentColumns(input: PaymentColumnsInput): Column<AdminPayment>[] {
  const { canProcess, isLocked, onChoose, onView } = input;
  return [
    {
      header: "Date",
      width: "6.25rem",
      render: ({ submittedAt }) => (
        <time dateTime={submittedAt.toISOString()} className={classes.date}>
          {formatDate(submittedAt)} <span className={classes.dimmed}>{formatTime(submittedAt)}</span>
        </time>
      ),
    },
    { header: "Name", width: "8rem", render: ({ backerName }) => <span className={classes.name}>{backerName}</span> },
    {
      header: "Email",
      width: "10.5rem",
      render: ({ backerEmail }) => (
        <span className={classes.email}>
          <Email address={backerEmail} />
        </span>
      ),
    },
    {
      header: "Project",
      inCard: "head",
      render: ({ id, projectTitle, refundDue, roundLots, refundContact, receipt, status, heldKobo }) => (
        <span className={classes.titleCell}>
          <span className={classes.projectTitle}>{projectTitle}</span>
          {refundDue && <StatusBadge tone="caution">{refundDueLabel(refundDue, roundLots)}</StatusBadge>}
          {status !== "pending" && heldKobo > 0n && (
            <StatusBadge tone="caution">{formatNaira(heldKobo)} held</StatusBadge>
          )}
          {refundContact && (
            <span className={classes.contact}>
              Refund contact: <Email address={refundContact} />
            </span>
          )}
          {receipt?.isUsedBefore && (
            <Link to="/admin/payments" search={{ sameReceipt: id }} className={classes.mark}>
              <StatusBadge tone="caution">Receipt used before</StatusBadge>
              <span className="visually-hidden">: show the payments it was sent for</span>
            </Link>
          )}
        </span>
      ),
    },
    {
      header: "Reference",
      width: "7.25rem",
      render: ({ reference }) => (
        <span className={classes.reference}>
          <Reference text={reference} />
          <CopyButton text={reference} what={`reference ${reference}`} size="compact-sm" variant="subtle" />
        </span>
      ),
    },
    {
      header: "Amount",
      width: "7.5rem",
      align: "end",
      render: ({ amountKobo, lots, bank, restBy }) => (
        <span className={classes.amountCell}>
          <span className={`money ${classes.amount}`}>{formatNaira(amountKobo)}</span>
          {lots > 1 && <span className={classes.dimmed}>{countLots(lots)}</span>}
          {bank && <BankStateMark bank={bank} />}
          {restBy && restBy < new Date() && <StatusBadge tone="caution">{arrivalTexts.overdue}</StatusBadge>}
        </span>
      ),
    },
    {
      header: "Status",
      width: "9rem",
      render: (payment) =>
        canProcess ? (
          <StatusSelect payment={payment} isLocked={isLocked} onChoose={(status) => onChoose(payment, status)} />
        ) : (
          <PaymentStatusBadge status={payment.status} />
        ),
    },
    {
      header: "Actions",
      width: "8.5rem",
      inCard: "wide",
      render: (payment) => (
        <Button
          variant="default"
          size="sm"
          aria-label={`${viewLabel(payment)} of ${payment.backerName} for ${payment.projectTitle}`}
          onClick={() => onView(payment)}
        >
          {viewLabel(payment)}
        </Button>
      ),
    },
  ];
}

const viewLabel = ({ receipt }: AdminPayment): string => (receipt ? "View Receipt" : "View Payment");

/** Breaks before the @ rather than anywhere. */
function Email({ address }: { address: string }) {
  const at = address.lastIndexOf("@");
  if (at < 0) return address;
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  );
}

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
function StatusSelect({ payment, isLocked, onChoose }: StatusSelectProps) {
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

/** A payment's reference. It breaks behind the name that all of them begin with, or not at all. */
export function Reference({ text }: { text: string }) {
  const start = text.indexOf("-") + 1;
  return (
    <span>
      <span className="reference">{text.slice(0, start)}</span>
      <wbr />
      <span className="reference">{text.slice(start)}</span>
    </span>
  );
}
