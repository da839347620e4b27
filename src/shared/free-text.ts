/**
 * Cleans text of several lines for storing: line ends become \n, other control characters are removed, and it is
 * trimmed.
 */
export function cleanLines(text: string): string {
  return text
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .trim();
}
