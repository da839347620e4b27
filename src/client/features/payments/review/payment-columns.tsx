import "#client/ui/mantine/fields.css";
import { Button, NativeSelect } from "@mantine/core";
import {
  IconAlarm,
  IconCircleCheck,
  IconClock,
  IconCoins,
  IconFiles,
  IconReceiptRefund,
  IconX,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { CopyButton } from "#client/ui/feedback/copy-button.tsx";
import { StatusBadge, type StatusTone } from "#client/ui/feedback/status-badge.tsx";
import type { Column } from "#client/ui/lists/data-table.tsx";
import { formatDate, formatDateTime, formatTime } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { type PaymentStatus, paymentStatuses, paymentStatusLabels } from "#shared/payments/statuses.ts";
import { arrivalTexts, paymentLimits, refundDueLabel } from "#shared/payments/texts.ts";
import { countLots } from "#shared/projects/texts.ts";
import { BankSign } from "./bank-state.tsx";
import classes from "./payment-columns.module.css";
import type { AdminPayment } from "./payments-search.ts";
import { RowSign } from "./row-sign.tsx";

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
      width: "7.375rem",
      render: ({ submittedAt }) => (
        <time dateTime={submittedAt.toISOString()} title={formatDateTime(submittedAt)} className={classes.date}>
          {formatDate(submittedAt)} <span className={classes.time}>{formatTime(submittedAt)}</span>
        </time>
      ),
    },
    {
      header: "Name",
      width: "6.75rem",
      render: ({ backerName }) => <span title={backerName}>{backerName}</span>,
    },
    {
      header: "Email",
      width: "6rem",
      render: ({ backerEmail }) => (
        <span title={backerEmail}>
          <Email address={backerEmail} />
        </span>
      ),
    },
    { header: "Project", inCard: "head", render: (payment) => <ProjectCell payment={payment} /> },
    {
      header: "Reference",
      isSpare: true,
      width: "10.25rem",
      render: ({ reference }) => (
        <span className={classes.reference}>
          <Reference text={reference} />
          <CopyButton text={reference} what={`reference ${reference}`} size="compact-sm" variant="subtle" isIconOnly />
        </span>
      ),
    },
    {
      header: "Amount",
      width: "8.75rem",
      align: "end",
      render: ({ amountKobo, bank }) => (
        <span className={classes.amountCell}>
          {bank && <BankSign bank={bank} />}
          <span className={`money ${classes.amount}`}>{formatNaira(amountKobo)}</span>
        </span>
      ),
    },
    { header: "Review by", width: "6.125rem", render: (payment) => <ReviewBy payment={payment} /> },
    {
      header: "Status",
      width: "8.75rem",
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
          px="xs"
          aria-label={`${viewLabel(payment)} of ${payment.backerName} for ${payment.projectTitle}`}
          onClick={() => onView(payment)}
        >
          {viewLabel(payment)}
        </Button>
      ),
    },
  ];
}

/** By when its backer was promised an answer, and whether that or the bank is late. */
function ReviewBy({ payment: { status, reviewBy, late } }: { payment: AdminPayment }) {
  if (late === "unseen") {
    return <span title={`The bank hasn't shown it for ${paymentLimits.unseenLateDays} days`}>Not seen</span>;
  }
  if (status !== "pending" || reviewBy === null) return null;
  // The promise is the midnight that ends its day.
  const day = new Date(reviewBy.getTime() - 1);
  const [, dayOfYear, year] = /^(.*) (\d+)$/.exec(formatDate(day)) ?? [];
  return (
    <span className={classes.reviewBy}>
      <time dateTime={day.toISOString()} title={formatDate(day)}>
        {dayOfYear} <span className={classes.time}>{year}</span>
      </time>
      {late && <RowSign icon={IconAlarm} tone="negative" words="Late" />}
    </span>
  );
}

/** Shows the payment's project, and the reasons to look twice at it. */
function ProjectCell({ payment }: { payment: AdminPayment }) {
  const { projectTitle, lots, refundDue, roundLots, refundContact, receipt, status, unallocatedKobo, restBy } = payment;
  return (
    <span className={classes.project}>
      <span className={classes.title} title={projectTitle}>
        {projectTitle}
      </span>
      {lots > 1 && <span className={classes.lots}>{countLots(lots)}</span>}
      {refundDue && <RowSign icon={IconReceiptRefund} tone="caution" words={refundDueLabel(refundDue, roundLots)} />}
      {status !== "pending" && unallocatedKobo > 0n && (
        <RowSign icon={IconCoins} tone="caution" words={`${formatNaira(unallocatedKobo)} held`} />
      )}
      {restBy && restBy < new Date() && <RowSign icon={IconAlarm} tone="caution" words={arrivalTexts.overdue} />}
      {receipt?.isUsedBefore && (
        <Link to="/admin/payments" search={{ sameReceipt: payment.id, status: "all" }} className={classes.markLink}>
          <RowSign icon={IconFiles} tone="caution" words="Receipt used before" />
          <span className="visually-hidden">: show the payments it was sent for</span>
        </Link>
      )}
      {refundContact && (
        <span className={classes.contact} title={refundContact}>
          Refund contact: <Email address={refundContact} />
        </span>
      )}
    </span>
  );
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
      leftSectionWidth={30}
      rightSectionWidth={24}
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
