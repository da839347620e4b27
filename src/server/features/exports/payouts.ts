import { listPayoutsAfter } from "#server/features/payouts/queries.ts";
import { noExportFilter } from "#shared/exports/inputs.ts";
import { payoutKindLabels, payoutStateLabels } from "#shared/payouts/texts.ts";
import { moment, naira, text, whole, word } from "./columns.ts";
import { exportable, inPages } from "./write.ts";

/** All payouts as /admin/payouts has them, with the accounts that they go to: for owners, as the screen. */
export const payoutsExport = exportable({
  permissions: ["payments:view", "payouts:view"],
  filter: noExportFilter,
  columns: {
    id: whole("Payout"),
    reference: text("Reference"),
    part: whole("Part"),
    parts: whole("Parts"),
    kind: word("Kind", payoutKindLabels),
    state: word("State", payoutStateLabels),
    amountKobo: naira("Amount"),
    personName: text("Person"),
    projectId: whole("Project ID"),
    projectTitle: text("Project"),
    round: whole("Round"),
    paymentReference: text("Payment reference"),
    bankName: text("Bank"),
    bankCode: text("Bank code"),
    accountNumber: text("Account number"),
    accountName: text("Account name"),
    runId: whole("Run"),
    createdAt: moment("Created"),
    dueAt: moment("Due since"),
    promisedBy: moment("Promised by"),
    sentAt: moment("Sent"),
    paidAt: moment("Paid"),
    paidByName: text("Marked as paid by"),
    paidSessionId: text("Session ID"),
    failedAt: moment("Failed"),
    failedReason: text("Failed because"),
    withheldReason: text("Withheld because"),
    cancelledAt: moment("Cancelled"),
    replaces: text("Replaces"),
  },
  pages: (tx, _, { ctx }) =>
    inPages(async (page) =>
      (await listPayoutsAfter(tx, ctx.clock.now(), page)).map(({ account, ...payout }) => ({
        ...payout,
        bankName: account?.bankName ?? null,
        bankCode: account?.bankCode ?? null,
        accountNumber: account?.accountNumber ?? null,
        accountName: account?.accountName ?? null,
      })),
    ),
});
