const numberFormat = new Intl.NumberFormat("en-NG");

/** "12,345". */
export function formatNumber(value: number | bigint): string {
  return numberFormat.format(value);
}

/** "1 backer", "12 backers"; `plural` where adding an s is wrong. */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(count)} ${count === 1 ? singular : plural}`;
}

/** "340 KB", "2.4 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${Math.round(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}
