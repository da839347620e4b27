const zone = "Africa/Lagos";
const dateFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: zone,
});
const timeFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone });
const numberFormat = new Intl.NumberFormat("en-NG");

/** "21 Nov 2026", the day in Lagos. */
export function formatDate(date: Date): string {
  return dateFormat
    .formatToParts(date)
    .map((part) => (part.type === "month" ? part.value.slice(0, 3) : part.value))
    .join("");
}

/** "14:05 WAT". */
export function formatTime(date: Date): string {
  return `${timeFormat.format(date)} WAT`;
}

/** "21 Nov 2026, 14:05 WAT". */
export function formatDateTime(date: Date): string {
  return `${formatDate(date)}, ${formatTime(date)}`;
}

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
