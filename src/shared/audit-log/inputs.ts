import { z } from "zod";
import { auditCountCap, auditPageSizes, defaultAuditPageSize } from "./paging.ts";

/** A day in Lagos, in the format of date fields. */
const day = z.iso.date().refine((text) => text >= "1970-01-01");

/** An absent field doesn't filter. The range includes both days. */
export const auditFilterInput = z.object({
  from: day.optional(),
  to: day.optional(),
  action: z.string().min(1).max(100).optional(),
  userId: z.uuid().toLowerCase().optional(),
});
export type AuditFilter = z.output<typeof auditFilterInput>;

export const listAuditLogsInput = auditFilterInput.extend({
  page: z.int().min(1).max(auditCountCap).default(1),
  pageSize: z.literal(auditPageSizes).default(defaultAuditPageSize),
});
