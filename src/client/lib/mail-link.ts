/** Opens the person's own mail program with a letter begun. Neither part can add a header or a recipient. */
export function mailLink(address: string, subject: string): string {
  return `mailto:${encodeURIComponent(address).replaceAll("%40", "@")}?subject=${encodeURIComponent(subject)}`;
}
