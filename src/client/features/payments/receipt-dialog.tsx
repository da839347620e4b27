import { Button, Modal } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import type { PaymentStatus } from "#shared/payment-statuses.ts";
import { paymentTexts } from "#shared/payment-texts.ts";
import { type Decision, DecisionForm, decisionTitle } from "./decision-form.tsx";
import { PaymentFacts, PaymentWarnings } from "./payment-facts.tsx";
import type { AdminPayment } from "./payments-search.ts";
import classes from "./receipt-dialog.module.css";
import { ReceiptViewer } from "./receipt-viewer.tsx";
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
  const side = useRef<HTMLDivElement>(null);
  const label = `Receipt of ${payment.backerName} for ${payment.projectTitle}`;
  const seen = query.data?.link.sha256;
  return (
    <div className={classes.review}>
      <ReceiptViewer query={query} label={label} />
      <div ref={side} className={classes.side} tabIndex={-1}>
        {decision ? (
          <>
            <h3 className={classes.heading}>{decisionTitle(decision)}</h3>
            <DecisionForm
              decision={decision}
              update={update}
              onClose={() => {
                setDecision(null);
                onClose();
              }}
              onCancel={() => {
                setDecision(null);
                side.current?.focus();
              }}
              isNarrow
            />
          </>
        ) : (
          <>
            <PaymentWarnings payment={payment} onLeave={onClose} />
            <PaymentFacts payment={payment} />
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
