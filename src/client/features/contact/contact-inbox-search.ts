import { readPositiveInt } from "#client/lib/addresses.ts";

export const contactFilters = ["unread", "read"] as const;
export type ContactFilter = (typeof contactFilters)[number];

/** The search parameters of /admin/messages: the filter, and the opened message. */
export type ContactInboxSearch = { show?: ContactFilter | undefined; open?: number | undefined };

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readContactInboxSearch(input: Record<string, unknown>): ContactInboxSearch {
  return { show: contactFilters.find((filter) => filter === input.show), open: readPositiveInt(input.open) };
}
