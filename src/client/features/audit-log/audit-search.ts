import { type AuditPageSize, auditCountCap, auditPageSizes, defaultAuditPageSize } from "#shared/audit-log/paging.ts";

/** What the address says of the audit log; defaults are left out of it. */
export type AuditSearch = {
  from?: string | undefined;
  to?: string | undefined;
  action?: string | undefined;
  user?: string | undefined;
  page?: number | undefined;
  size?: AuditPageSize | undefined;
};

const day = (value: unknown): string | undefined =>
  typeof value === "string" && /^(19[7-9]|[2-9]\d\d)\d-\d\d-\d\d$/.test(value) && isDay(value) ? value : undefined;

/** 30 February is none. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readAuditSearch(input: Record<string, unknown>): AuditSearch {
  const { action, user, page } = input;
  const isPage = typeof page === "number" && Number.isInteger(page) && page > 1 && page <= auditCountCap;
  return {
    from: day(input.from),
    to: day(input.to),
    action: typeof action === "string" && /^[a-z_]{1,100}$/.test(action) ? action : undefined,
    user: typeof user === "string" && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(user) ? user : undefined,
    page: isPage ? page : undefined,
    size: auditPageSizes.find((size) => size === input.size && size !== defaultAuditPageSize),
  };
}
