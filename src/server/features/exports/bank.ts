import { listLinesAfter, listMatchesAfter } from "#server/features/bank/queries.ts";
import { lineTabLabels } from "#shared/bank/line-tabs.ts";
import { lineMatchKindLabels } from "#shared/bank/texts.ts";
import { accountExportFilter, linesExportFilter } from "#shared/exports/inputs.ts";
import { flag, moment, naira, text, whole, word } from "./columns.ts";
import { exportable, inPages } from "./write.ts";

/** The lines of the bank's statements, as the drawers of /admin/bank have them. */
export const linesExport = exportable({
  permissions: ["payments:view", "bank:view"],
  filter: linesExportFilter,
  columns: {
    id: whole("Line"),
    bankName: text("Bank"),
    accountNumber: text("Account"),
    position: whole("Position"),
    date: text("Date"),
    valueDate: text("Value date"),
    amountKobo: naira("Amount"),
    balanceKobo: naira("Printed balance"),
    gapKobo: naira("Accepted gap before it"),
    narration: text("Narration"),
    counterparty: text("Counterparty"),
    bankReference: text("Bank reference"),
    customerReference: text("Customer reference"),
    sessionId: text("Session ID"),
    reference: text("Our reference"),
    isReversal: flag("Reversal"),
    tab: word("State", lineTabLabels),
    matchedKobo: naira("Matched"),
    fileName: text("File"),
    row: whole("Row"),
  },
  pages: (tx, filter) => inPages((page) => listLinesAfter(tx, filter, page)),
});

/** The matches that explain lines, including undone ones. */
export const lineMatchesExport = exportable({
  permissions: ["payments:view", "bank:view"],
  filter: accountExportFilter,
  columns: {
    id: whole("Match"),
    lineId: whole("Line"),
    lineDate: text("Line date"),
    bankName: text("Bank"),
    kind: word("Matched to", lineMatchKindLabels),
    amountKobo: naira("Amount"),
    paymentReference: text("Payment reference"),
    payoutReference: text("Payout reference"),
    name: text("Name"),
    projectTitle: text("Project"),
    harvestId: whole("Harvest"),
    counterLineId: whole("Other line"),
    rule: text("Rule"),
    reason: text("Reason"),
    madeByName: text("Made by"),
    createdAt: moment("Made"),
    undoneByName: text("Undone by"),
    undoneAt: moment("Undone"),
    undoneReason: text("Undone because"),
  },
  pages: (tx, filter) =>
    inPages(async (page) =>
      (await listMatchesAfter(tx, filter, page)).map(({ line, counterLine, payment, payout, harvest, ...match }) => ({
        ...match,
        lineId: line.id,
        lineDate: line.date,
        paymentReference: payment?.reference ?? null,
        payoutReference: payout?.reference ?? null,
        name: payment?.backerName ?? payout?.payeeName ?? match.buyer,
        projectTitle: payment?.projectTitle ?? payout?.projectTitle ?? harvest?.projectTitle ?? null,
        harvestId: harvest?.id ?? null,
        counterLineId: counterLine?.id ?? null,
      })),
    ),
});
