/** What a script of this folder gives for each row of the table. */
export type Measurement = {
  /** The row's name, as in the list of targets. */
  name: string;
  /** What is divided by what. */
  what: string;
  /** One value per round; a ratio unless `unit` says otherwise. */
  values: number[];
  unit?: "MB" | "KB" | "kB";
  target: { atLeast: number } | { atMost: number } | { exactly: number };
  /** What else was read: CPU per request, absolute figures. */
  details: string;
  /** Why the target isn't reached, where that is known: shown only then. */
  limitedBy?: string;
};

export type Script = { measure: () => Promise<Measurement[]> };

/** The middle one; of an even number, the mean of the two in the middle. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

export function isReached({ values, target }: Measurement): boolean {
  if ("exactly" in target) return values.every((value) => value === target.exactly);
  return "atLeast" in target ? median(values) >= target.atLeast : median(values) <= target.atMost;
}

export const columns = ["script", "measured", "median", "min–max (rounds)", "target", "reached", "details"];

/** The row's cells under {@link columns}. */
export function cellsOf(measurement: Measurement): string[] {
  const { name, what, values, unit, target, details, limitedBy } = measurement;
  const written = (value: number) => `${value.toFixed(unit ? 1 : 2)}${unit ? ` ${unit}` : ""}`;
  const reached = isReached(measurement);
  const bound =
    "exactly" in target
      ? `= ${target.exactly}`
      : "atLeast" in target
        ? `≥ ${written(target.atLeast)}`
        : `≤ ${written(target.atMost)}`;
  return [
    name,
    what,
    written(median(values)),
    `${written(Math.min(...values))}–${written(Math.max(...values))} (${values.length})`,
    bound,
    reached ? "yes" : "**no**",
    reached || !limitedBy ? details : `${details}. Limited by: ${limitedBy}`,
  ];
}
