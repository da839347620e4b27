/** How the audit log is paged. Apart from its texts: the start chunk reads addresses by it. */

export const auditPageSizes = [5, 10, 25, 50] as const;
export type AuditPageSize = (typeof auditPageSizes)[number];
export const defaultAuditPageSize: AuditPageSize = 10;

/**
 * Entries are counted and paged up to this number. Beyond it the page shows "10,000+" and suggests filters or an
 * export.
 */
export const auditCountCap = 10_000;
