/** Returns the link for an address as people type it: `farms.ng` is a site, `ada@farms.ng` a mailbox. */
export function addressOf(typed: string): string {
  const address = typed.trim();
  // With a port, what stands before the colon is a host.
  if (address === "" || /^([/#?]|[a-z][a-z\d+.-]*:(?!\d+([/?#]|$)))/i.test(address)) return address;
  return /^[^/@]+@[^/@]+$/.test(address) ? `mailto:${address}` : `https://${address}`;
}

/** Opens the person's own mail program with a letter begun. Neither part can add a header or a recipient. */
export function mailLink(address: string, subject: string): string {
  return `mailto:${encodeURIComponent(address).replaceAll("%40", "@")}?subject=${encodeURIComponent(subject)}`;
}

/** An id or a count in an address, where the router has read digits as a number. Undefined for anything else. */
export function readPositiveInt(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** Returns the words of a search, also where the router has read digits as a number. Undefined for none. */
export function readWords(value: unknown): string | undefined {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return text.trim().slice(0, 100) || undefined;
}

/** A day like "2026-11-28". Undefined for anything else, such as 30 February. */
export function readDay(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^(19[7-9]|[2-9]\d\d)\d-\d\d-\d\d$/.test(value)) return undefined;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) ? value : undefined;
}

/** The id of a person. Undefined for anything else. */
export function readUuid(value: unknown): string | undefined {
  return typeof value === "string" && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value) ? value : undefined;
}
