/** What a link needs that somebody typed as people write addresses: `gona.ng` is a site, `ada@gona.ng` a mailbox. */
export function addressOf(typed: string): string {
  const address = typed.trim();
  // With a port, what stands before the colon is a host.
  if (address === "" || /^([/#?]|[a-z][a-z\d+.-]*:(?!\d+([/?#]|$)))/i.test(address)) return address;
  return /^[^/@]+@[^/@]+$/.test(address) ? `mailto:${address}` : `https://${address}`;
}
