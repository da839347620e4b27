import { trpc } from "#client/lib/trpc.ts";
import { PaperButton } from "#client/shared-parts/paper-button.tsx";
import { formatNaira } from "#shared/money.ts";
import { isStruck } from "./bank-state.tsx";
import classes from "./payments.module.css";
import type { AdminPayment } from "./payments-search.ts";

/** The papers that a payment has given rise to. Nothing before it was approved or given back. */
export function PaymentPapers({ payment }: { payment: AdminPayment }) {
  const utils = trpc.useUtils();
  return (
    <>
      {payment.status === "approved" && !isStruck(payment) && (
        <div className={classes.act}>
          <p>The payment receipt that its backer has</p>
          <PaperButton
            label="Payment receipt"
            name="of this payment"
            find={() => utils.papers.find.fetch({ kind: "receipt", id: payment.id })}
          />
        </div>
      )}
      {payment.refunds.map(({ id, amountKobo }) => (
        <div key={id} className={classes.act}>
          <p>The note of {formatNaira(amountKobo)} given back</p>
          <PaperButton
            label="Refund note"
            name={`of ${formatNaira(amountKobo)}`}
            find={() => utils.papers.find.fetch({ kind: "refund_note", id })}
          />
        </div>
      ))}
    </>
  );
}
