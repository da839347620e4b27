import { listPaymentsAfter } from "#server/features/payments/review/queries.ts";
import { paymentsExportFilter } from "#shared/exports/inputs.ts";
import { bankStateLabels, paymentStatusLabels } from "#shared/payments/statuses.ts";
import { moment, naira, text, whole, word } from "./columns.ts";
import { exportable, inPages } from "./write.ts";

/** Payments as /admin/payments has them. */
export const paymentsExport = exportable({
  permissions: ["payments:view"],
  filter: paymentsExportFilter,
  columns: {
    id: whole("Payment"),
    reference: text("Reference"),
    submittedAt: moment("Submitted"),
    reviewBy: moment("Review by"),
    status: word("Status", paymentStatusLabels),
    backerName: text("Backer"),
    backerEmail: text("Email"),
    projectId: whole("Project ID"),
    projectTitle: text("Project"),
    round: whole("Round"),
    lots: whole("Lots"),
    amountKobo: naira("Amount"),
    bankState: word("Bank", bankStateLabels),
    arrivedKobo: naira("Arrived"),
    unallocatedKobo: naira("Held"),
    refundKobo: naira("Refunds"),
    refundDue: text("Refund reason"),
    rejectionReason: text("Rejection reason"),
    decidedByName: text("Decided by"),
    decidedAt: moment("Decided"),
  },
  pages: (tx, filter, { ctx }) =>
    inPages(async (page) =>
      (await listPaymentsAfter({ db: tx, now: ctx.clock.now() }, filter, page)).map(({ bank, ...payment }) => ({
        ...payment,
        bankState: bank?.state ?? null,
        arrivedKobo: bank?.arrivedKobo ?? null,
      })),
    ),
});
