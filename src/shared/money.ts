/** Money is whole kobo as bigint, from the form to the column; naira appear only in texts. 1 naira = 100 kobo. */

export type Kobo = bigint;

const KOBO_PER_NAIRA = 100n;

/** The largest amount that forms and columns accept: ₦1,000,000,000 (product decision). */
export const MAX_AMOUNT_KOBO: Kobo = 1_000_000_000n * KOBO_PER_NAIRA;

/** The largest amount of a harvest's sale, which may be what a whole estate brings: ₦100,000,000,000. */
export const MAX_SALE_KOBO: Kobo = 100_000_000_000n * KOBO_PER_NAIRA;

/** No statement prints more than ten trillion naira; a longer number is something else. */
export const MAX_STATEMENT_KOBO: Kobo = 10_000_000_000_000n * KOBO_PER_NAIRA;

export function nairaToKobo(wholeNaira: number | bigint): Kobo {
  return BigInt(wholeNaira) * KOBO_PER_NAIRA;
}

/** Sums amounts or quantities. */
export const sumOf = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);

/** The smaller of two amounts or quantities. */
export const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

export const atLeastNothing = (value: bigint): bigint => (value > 0n ? value : 0n);

/** Rounds an amount down to whole naira. */
export const wholeNaira = (kobo: Kobo): Kobo => kobo - (kobo % KOBO_PER_NAIRA);

/**
 * Parses a typed amount ("1,250,000", "₦1 250.50") to kobo. A comma only separates thousands: "1250,50" is invalid,
 * because it could be read as a hundred times the amount.
 * Null unless it is a non-negative amount of at most two decimals within the bound.
 */
export function parseNaira(text: string, maxKobo = MAX_AMOUNT_KOBO): Kobo | null {
  const plain = text.replace(/[₦\s]/g, "");
  const match = /^(\d{1,14}|\d{1,3}(?:,\d{3}){1,4})(?:\.(\d{1,2}))?$/.exec(plain);
  if (!match) return null;
  const kobo = BigInt((match[1] ?? "").replaceAll(",", "")) * KOBO_PER_NAIRA + BigInt((match[2] ?? "").padEnd(2, "0"));
  return kobo <= maxKobo ? kobo : null;
}

/** Formats "1,250,000" or "1,250.50" for a field, as {@link parseNaira} reads it. */
export function koboToNairaText(kobo: Kobo): string {
  const rest = kobo % KOBO_PER_NAIRA;
  return `${(kobo / KOBO_PER_NAIRA).toLocaleString("en-NG")}${rest === 0n ? "" : `.${rest.toString().padStart(2, "0")}`}`;
}

/** Formats ₦1,250,000, or ₦1,250.50 if there are kobo. */
export function formatNaira(kobo: Kobo): string {
  const sign = kobo < 0n ? "-" : "";
  const absolute = kobo < 0n ? -kobo : kobo;
  const naira = (absolute / KOBO_PER_NAIRA).toLocaleString("en-NG");
  const rest = absolute % KOBO_PER_NAIRA;
  return `${sign}₦${naira}${rest === 0n ? "" : `.${rest.toString().padStart(2, "0")}`}`;
}

/** Formats ₦1,250,000.00, with the kobo as banks print them: for what is compared with a statement. */
export function formatNairaExact(kobo: Kobo): string {
  const text = formatNaira(kobo);
  return kobo % KOBO_PER_NAIRA === 0n ? `${text}.00` : text;
}

/** The reached share of the goal in whole percent, rounded and capped at 100. */
export function fundingPercent(current: Kobo, goal: Kobo): number {
  if (goal <= 0n || current <= 0n) return 0;
  const rounded = (current * 200n + goal) / (goal * 2n);
  return rounded > 100n ? 100 : Number(rounded);
}
