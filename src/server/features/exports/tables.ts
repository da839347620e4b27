import type { ExportName } from "#shared/exports-texts.ts";
import { auditLogsExport } from "./audit-logs.ts";
import { lineMatchesExport, linesExport } from "./bank.ts";
import { ledgerExport } from "./ledger.ts";
import { paymentsExport } from "./payments.ts";
import { payoutsExport } from "./payouts.ts";
import { backersExport, harvestsExport, holdsExport } from "./projects.ts";
import type { Exportable } from "./write.ts";

/** The tables that can be exported. Each takes the permission of its screen, and those about money "payments:view". */
export const exportables: Record<ExportName, Exportable> = {
  payments: paymentsExport,
  ledger: ledgerExport,
  "bank-lines": linesExport,
  "line-matches": lineMatchesExport,
  payouts: payoutsExport,
  harvests: harvestsExport,
  holds: holdsExport,
  backers: backersExport,
  "audit-logs": auditLogsExport,
};
