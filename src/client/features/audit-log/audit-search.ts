import { readDay, readUuid } from "#client/lib/addresses.ts";
import { type AuditPageSize, auditCountCap, auditPageSizes, defaultAuditPageSize } from "#shared/audit-log/paging.ts";

/** The search of the audit log's address; defaults are left out of it. */
export type AuditSearch = {
  from?: string | undefined;
  to?: string | undefined;
  action?: string | undefined;
  user?: string | undefined;
  page?: number | undefined;
  size?: AuditPageSize | undefined;
};

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readAuditSearch(input: Record<string, unknown>): AuditSearch {
  const { action, user, page } = input;
  const isPage = typeof page === "number" && Number.isInteger(page) && page > 1 && page <= auditCountCap;
  return {
    from: readDay(input.from),
    to: readDay(input.to),
    action: typeof action === "string" && /^[a-z_]{1,100}$/.test(action) ? action : undefined,
    user: readUuid(user),
    page: isPage ? page : undefined,
    size: auditPageSizes.find((size) => size === input.size && size !== defaultAuditPageSize),
  };
}
