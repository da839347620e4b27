import { Button, Modal } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { formatDateTime } from "#client/lib/format.ts";
import { toast } from "#client/lib/toast.ts";
import { CopyButton } from "#client/ui/copy-button.tsx";
import { Notice } from "#client/ui/notice.tsx";
import { formatNaira } from "#shared/money.ts";
import { type PaymentStatus, paymentTexts, refundDueLabels } from "#shared/payments.ts";
import { type Decision, DecisionForm, decisionTitle } from "./decision-form.tsx";
import type { AdminPayment } from "./payments-search.ts";
import classes from "./receipt-dialog.module.css";
import { ReceiptViewer } from "./receipt-viewer.tsx";
import { PaymentStatusBadge } from "./status-select.tsx";
import { ReceiptError, useReceipt } from "./use-receipt.ts";
import type { SetStatus } from "./use-set-status.ts";

type ReceiptDialogProps = {
  payment: AdminPayment | null;
  canProcess: boolean;
  update: SetStatus;
  onClose: () => void;
};

/** A receipt beside the decision it is for. */
export default function ReceiptDialog({ payment, canProcess, update, onClose }: ReceiptDialogProps) {
  return (
    <Modal
      opened={payment !== null}
      onClose={update.isPending ? () => undefined : onClose}
      title="Payment receipt"
      size="62rem"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {payment && (
        <Review key={payment.id} payment={payment} canProcess={canProcess} update={update} onClose={onClose} />
      )}
    </Modal>
  );
}

type ReviewProps = ReceiptDialogProps & { payment: AdminPayment };

function Review({ payment, canProcess, update, onClose }: ReviewProps) {
  const { query, download } = useReceipt(payment.id);
  const [decision, setDecision] = useState<Decision | null>(null);
  const label = `Receipt of ${payment.backerName} for ${payment.projectTitle}`;
  const seen = query.data?.link.sha256;
  return (
    <div className={classes.review}>
      <ReceiptViewer query={query} label={label} />
      <div className={classes.side}>
        {decision ? (
          <section aria-labelledby="decision">
            <h3 id="decision" className={classes.heading}>
              {decisionTitle(decision)}
            </h3>
            <DecisionForm
              decision={decision}
              update={update}
              onClose={() => {
                setDecision(null);
                onClose();
              }}
              onCancel={() => setDecision(null)}
            />
          </section>
        ) : (
          <>
            <Warnings payment={payment} />
            <Facts payment={payment} />
            {canProcess && seen && (
              <Choices payment={payment} onChoose={(status) => setDecision({ payment, receiptSha256: seen, status })} />
            )}
            <DownloadButton download={download} />
          </>
        )}
      </div>
    </div>
  );
}

function Warnings({ payment: { refundDue, receipt } }: { payment: AdminPayment }) {
  return (
    <>
      {refundDue && (
        <Notice tone="caution" title={refundDueLabels[refundDue]}>
          <p>This payment can't be approved. Send the money back, then reject it.</p>
        </Notice>
      )}
      {receipt.isUsedBefore && (
        <Notice tone="caution" title="This receipt's file was used before">
          <p>The same file was sent for another payment. Compare the bank's transfer with both.</p>
        </Notice>
      )}
    </>
  );
}

function Facts({ payment }: { payment: AdminPayment }) {
  const { receipt } = payment;
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Status</dt>
        <dd>
          <PaymentStatusBadge status={payment.status} />
        </dd>
      </div>
      <div>
        <dt>Expected amount</dt>
        <dd className={classes.amount}>{formatNaira(payment.amountKobo)}</dd>
      </div>
      <div>
        <dt>Reference</dt>
        <dd className={classes.reference}>
          <span className="money">{payment.reference}</span>
          <CopyButton text={payment.reference} what="reference" size="xs" />
        </dd>
      </div>
      <div>
        <dt>From</dt>
        <dd>
          {payment.backerName}
          <br />
          <span className={classes.dimmed}>{payment.backerEmail}</span>
        </dd>
      </div>
      <div>
        <dt>Project</dt>
        <dd>{payment.projectTitle}</dd>
      </div>
      <div>
        <dt>Receipt sent</dt>
        <dd>
          {formatDateTime(receipt.submittedAt)}
          <br />
          <span className={classes.dimmed}>{receipt.originalName}</span>
        </dd>
      </div>
      {payment.decidedAt && (
        <div>
          <dt>Decided</dt>
          <dd>
            {formatDateTime(payment.decidedAt)}
            {payment.decidedByName && `, by ${payment.decidedByName}`}
          </dd>
        </div>
      )}
      {payment.rejectionReason && (
        <div>
          <dt>Reason given</dt>
          <dd>{payment.rejectionReason}</dd>
        </div>
      )}
    </dl>
  );
}

function Choices({ payment, onChoose }: { payment: AdminPayment; onChoose: (status: PaymentStatus) => void }) {
  return (
    <div className={classes.choices}>
      {payment.status !== "approved" && (
        <Button disabled={payment.refundDue !== null} onClick={() => onChoose("approved")}>
          Approve…
        </Button>
      )}
      {payment.status !== "rejected" && (
        <Button variant="outline" color="red" onClick={() => onChoose("rejected")}>
          Reject…
        </Button>
      )}
      {payment.status !== "pending" && (
        <Button variant="default" onClick={() => onChoose("pending")}>
          Set to pending…
        </Button>
      )}
    </div>
  );
}

function DownloadButton({ download }: { download: () => Promise<void> }) {
  const [isPending, setIsPending] = useState(false);
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden="true" />}
      loading={isPending}
      onClick={async () => {
        setIsPending(true);
        try {
          await download();
        } catch (error) {
          toast.error(paymentTexts.downloadFailed, error instanceof ReceiptError ? error.message : errorText(error));
        } finally {
          setIsPending(false);
        }
      }}
    >
      Download Receipt
    </Button>
  );
}
