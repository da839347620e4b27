/** What a link needs that somebody typed as people write addresses: `farms.ng` is a site, `ada@farms.ng` a mailbox. */
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
