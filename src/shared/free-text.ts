/** Text of several lines as we keep it: line ends are \n, other control characters are gone, nothing stands around it. */
export function cleanLines(text: string): string {
  return text
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .trim();
}
