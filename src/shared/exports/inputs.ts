import { z } from "zod";
import { auditFilterInput } from "#shared/audit-log/inputs.ts";
import { lineTabs } from "#shared/bank/line-tabs.ts";
import { booksDay } from "#shared/books/inputs.ts";
import { booksTexts } from "#shared/books/texts.ts";
import { rowIdField } from "#shared/ids.ts";
import { bankStates, paymentStatuses } from "#shared/payments/statuses.ts";
import { projectIdField, searchText } from "#shared/projects/inputs.ts";

/**
 * The filters of exports, as the query of an address has them. A filter that isn't known is refused: who mistypes one
 * must not get everything.
 */

export const paymentsExportFilter = z.strictObject({
  status: z.enum(paymentStatuses).optional(),
  projectId: projectIdField.optional(),
  bank: z.enum(bankStates).optional(),
  late: z
    .literal("true")
    .transform(() => true)
    .optional(),
  search: searchText,
  sameReceiptAs: rowIdField.optional(),
});
export const linesExportFilter = z.strictObject({
  accountId: rowIdField.optional(),
  tab: z.enum(lineTabs).optional(),
  search: searchText,
});
export const accountExportFilter = z.strictObject({ accountId: rowIdField.optional() });
export const projectExportFilter = z.strictObject({ projectId: projectIdField.optional() });
/** Backers are the backers of one project. */
export const backersExportFilter = z.strictObject({ projectId: projectIdField });
export const auditExportFilter = z.strictObject(auditFilterInput.shape);
export const noExportFilter = z.strictObject({});
/** From a day to another, both included; without one from the beginning, or to the end. */
export const daysExportFilter = z
  .strictObject({ from: booksDay.optional(), to: booksDay.optional() })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, { message: booksTexts.daysTurned });
/** The day of a trial balance; today's without one. */
export const dayExportFilter = z.strictObject({ on: booksDay.optional() });
