import { lazy, Suspense, useState } from "react";
import { DataTable } from "#client/ui/lists/data-table.tsx";
import type { Decision } from "./decision-form.tsx";
import { paymentColumns } from "./payment-columns.tsx";
import type { AdminPayment } from "./payments-search.ts";
import { useSetStatus } from "./use-set-status.ts";

const DecisionDialog = lazy(() => import("./decision-dialog.tsx"));
const ReceiptDialog = lazy(() => import("./receipt-dialog.tsx"));

type PaymentsTableProps = { payments: readonly AdminPayment[]; canProcess: boolean; isStale: boolean };

/** The payments, and the two dialogs that belong to a row. */
export function PaymentsTable({ payments, canProcess, isStale }: PaymentsTableProps) {
  const update = useSetStatus();
  const [decision, setDecision] = useState<Decision | null>(null);
  // As it was when the dialog opened: a decision is about what was seen.
  const [viewed, setViewed] = useState<AdminPayment | null>(null);
  const columns = paymentColumns({
    canProcess,
    isLocked: update.isPending,
    onChoose: (payment, status) => setDecision({ payment, status, receiptSha256: payment.receipt.sha256 }),
    onView: setViewed,
  });
  return (
    <>
      <DataTable
        label="Payments"
        columns={columns}
        rows={payments}
        rowKey={(payment) => payment.id}
        isStale={isStale}
      />
      <Suspense>
        <DecisionDialog decision={decision} update={update} onClose={() => setDecision(null)} />
        <ReceiptDialog payment={viewed} canProcess={canProcess} update={update} onClose={() => setViewed(null)} />
      </Suspense>
    </>
  );
}
