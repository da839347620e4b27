/** An id in an address, where the router has read digits as a number. Undefined for anything else. */
export function readRowId(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
