import type { ExportName } from "#shared/exports/texts.ts";
import { auditLogsExport } from "./audit-logs.ts";
import { backersExport } from "./backers.ts";
import { lineMatchesExport, linesExport } from "./bank.ts";
import { feesExport, trialBalanceExport, vatExport } from "./books.ts";
import { harvestPartsExport, harvestsExport } from "./harvests.ts";
import { holdsExport, waitingListExport } from "./holds.ts";
import { ledgerExport } from "./ledger.ts";
import { paymentsExport } from "./payments.ts";
import { payoutsExport } from "./payouts.ts";
import type { Exportable } from "./write.ts";

/** The tables that can be exported. Each takes the permission of its screen, and those about money "payments:view". */
export const exportables: Record<ExportName, Exportable> = {
  payments: paymentsExport,
  ledger: ledgerExport,
  "trial-balance": trialBalanceExport,
  vat: vatExport,
  fees: feesExport,
  "bank-lines": linesExport,
  "line-matches": lineMatchesExport,
  payouts: payoutsExport,
  harvests: harvestsExport,
  "harvest-parts": harvestPartsExport,
  holds: holdsExport,
  "waiting-list": waitingListExport,
  backers: backersExport,
  "audit-logs": auditLogsExport,
};
