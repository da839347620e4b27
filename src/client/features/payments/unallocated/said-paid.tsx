import "#client/ui/mantine/overlays.css";
import { Button, Modal } from "@mantine/core";
import { useRef, useState } from "react";
import { Reference } from "#client/features/payments/review/payment-columns.tsx";
import classes from "#client/features/payments/review/payments.module.css";
import { DownloadButton, ReceiptViewer, useReceipt } from "#client/features/payments/review/receipt-viewer.tsx";
import { formatCount } from "#client/lib/format.ts";
import { useCan } from "#client/lib/session/session.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { CopyButton } from "#client/ui/feedback/copy-button.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { type Column, DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent, MoreRows } from "#client/ui/lists/list-page.tsx";
import { formatDate, formatDateTime } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { paymentStatusLabels } from "#shared/payments/statuses.ts";
import { paymentTexts, refundDueLabel } from "#shared/payments/texts.ts";
import { DeclareArrived } from "./declare-arrived.tsx";

type SaidPayment = RouterOutputs["payments"]["saidPaid"]["items"][number];

/** Who says to have paid: receipts of payments that can't be approved, and of which nothing has arrived as far as we know. */
export default function SaidPaid() {
  const query = trpc.payments.saidPaid.useInfiniteQuery(
    {},
    { getNextPageParam: (page) => page.nextCursor, staleTime: 0 },
  );
  const requests = trpc.secondPerson.list.useQuery(undefined, { staleTime: 0, enabled: useCan("payments:process") });
  const [openId, setOpenId] = useState<number | null>(null);
  const payments = query.data?.pages.flatMap((page) => page.items);
  const isAsked = ({ id }: SaidPayment) =>
    requests.data?.requests.some(({ kind, subject }) => kind === "declare_arrived" && subject === String(id)) ?? false;
  const shown = payments?.find(({ id }) => id === openId) ?? null;
  return (
    <>
      <p className={classes.intro}>{paymentTexts.saidPaid}</p>
      <ListContent
        query={query}
        rows={payments}
        loading={
          <DataTableSkeleton label="Loading payments" columns={columnsOf({ isAsked, onLook: () => undefined })} />
        }
        failure={paymentTexts.fetchFailed}
        empty={<EmptyState title={paymentTexts.noneSaidPaid} text={paymentTexts.noneSaidPaidText} />}
        foot={
          <MoreRows
            query={query}
            shown={`${formatCount(payments?.length ?? 0, "payment")} shown`}
            label="Load more payments"
            failure={paymentTexts.fetchFailed}
          />
        }
      >
        {(rows) => (
          <DataTable
            label="Who says to have paid"
            columns={columnsOf({ isAsked, onLook: ({ id }) => setOpenId(id) })}
            rows={rows}
            rowKey={({ id }) => id}
          />
        )}
      </ListContent>
      <Modal
        opened={shown !== null}
        onClose={() => setOpenId(null)}
        title="Has this money arrived?"
        size="62rem"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {shown && <Look key={shown.id} payment={shown} isAsked={isAsked(shown)} onClose={() => setOpenId(null)} />}
      </Modal>
    </>
  );
}

type ColumnsInput = { isAsked: (payment: SaidPayment) => boolean; onLook: (payment: SaidPayment) => void };

const columnsOf = ({ isAsked, onLook }: ColumnsInput): Column<SaidPayment>[] => [
  {
    header: "Receipt sent",
    width: "8rem",
    render: ({ receiptSentAt }) => <time dateTime={receiptSentAt.toISOString()}>{formatDate(receiptSentAt)}</time>,
  },
  { header: "Name", width: "10rem", render: ({ backerName }) => backerName },
  {
    header: "Project",
    inCard: "head",
    render: ({ projectTitle }) => <span className={classes.projectTitle}>{projectTitle}</span>,
  },
  { header: "Reference", width: "9rem", render: ({ reference }) => <Reference text={reference} /> },
  {
    header: "Amount",
    width: "8rem",
    align: "end",
    render: ({ amountKobo }) => <span className={`money ${classes.amount}`}>{formatNaira(amountKobo)}</span>,
  },
  {
    header: "Why not approved",
    width: "14rem",
    render: (payment) => (
      <span className={classes.titleCell}>
        <WhyNot payment={payment} />
        {isAsked(payment) && <StatusBadge tone="caution">Waits for a second person</StatusBadge>}
      </span>
    ),
  },
  {
    header: "Actions",
    width: "9rem",
    inCard: "wide",
    render: (payment) => (
      <Button
        variant="default"
        size="sm"
        aria-label={`Look at receipt of ${payment.backerName} for ${payment.projectTitle}`}
        onClick={() => onLook(payment)}
      >
        Look at receipt
      </Button>
    ),
  },
];

function WhyNot({ payment: { status, refundDue, roundLots, rejectionReason } }: { payment: SaidPayment }) {
  if (refundDue) return <StatusBadge tone="caution">{refundDueLabel(refundDue, roundLots)}</StatusBadge>;
  return (
    <>
      <StatusBadge tone="negative">{paymentStatusLabels[status]}</StatusBadge>
      {rejectionReason && <span className={classes.dimmed}>{rejectionReason}</span>}
    </>
  );
}

type LookProps = { payment: SaidPayment; isAsked: boolean; onClose: () => void };

/** The receipt beside what it says, and the way to say that the money came. */
function Look({ payment, isAsked, onClose }: LookProps) {
  const { query, download } = useReceipt(payment.id, { hasReceipt: true });
  const [isDeclaring, setIsDeclaring] = useState(false);
  const mayDeclare = useCan("payments:process");
  const side = useRef<HTMLDivElement>(null);
  return (
    <div className={classes.review}>
      <ReceiptViewer query={query} label={`Receipt of ${payment.backerName} for ${payment.projectTitle}`} />
      <div ref={side} className={classes.side} tabIndex={-1}>
        {isDeclaring ? (
          <DeclareArrived
            paymentId={payment.id}
            missingKobo={payment.amountKobo}
            isAllTyped
            onDone={onClose}
            onCancel={() => {
              setIsDeclaring(false);
              side.current?.focus();
            }}
          />
        ) : (
          <>
            <Facts payment={payment} />
            {isAsked ? (
              <Notice tone="caution" title="Waits for a second person">
                <p>
                  Another owner confirms it <TextLink to="/admin/dashboard">on the dashboard</TextLink>.
                </p>
              </Notice>
            ) : (
              mayDeclare && <Button onClick={() => setIsDeclaring(true)}>Confirm that it arrived…</Button>
            )}
            {mayDeclare && (
              <p className={classes.dimmed}>
                Where a statement shows the transfer, match its line to this payment instead, under{" "}
                <TextLink to="/admin/bank">Bank</TextLink>.
              </p>
            )}
            <DownloadButton download={download} />
          </>
        )}
      </div>
    </div>
  );
}

function Facts({ payment }: { payment: SaidPayment }) {
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Amount</dt>
        <dd className={classes.amount}>{formatNaira(payment.amountKobo)}</dd>
      </div>
      <div>
        <dt>Reference</dt>
        <dd className={classes.factsReference}>
          <Reference text={payment.reference} />
          <CopyButton text={payment.reference} what="reference" size="xs" />
        </dd>
      </div>
      <div>
        <dt>From</dt>
        <dd>{payment.backerName}</dd>
      </div>
      <div>
        <dt>Project</dt>
        <dd>{payment.projectTitle}</dd>
      </div>
      <div>
        <dt>Receipt sent</dt>
        <dd>{formatDateTime(payment.receiptSentAt)}</dd>
      </div>
      <div>
        <dt>Why not approved</dt>
        <dd className={classes.titleCell}>
          <WhyNot payment={payment} />
        </dd>
      </div>
    </dl>
  );
}
