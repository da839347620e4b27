/** One row of the speed table. */
export type Measurement = {
  /** The thing measured; for a ratio, both of its sides. */
  what: string;
  /** One value per round; a ratio unless `unit` says otherwise. */
  values: number[];
  unit?: "MB" | "kB" | "ms" | "s";
  target: { atLeast: number } | { atMost: number } | { exactly: number };
  /** Other readings: CPU per request, absolute figures. */
  details: string;
  /** The known reason why the target isn't reached; shown only when it isn't. */
  limitedBy?: string;
};

export type Script = { measure: () => Promise<Measurement[]> };

/** At least 7: the median of fewer says little on a busy machine. */
export const ROUNDS = 7;

/** Returns the middle value; of an even number, the mean of the two in the middle. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

/** The time within which 95 of 100 were done. */
export function p95(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}

export function isReached({ values, target }: Measurement): boolean {
  if ("exactly" in target) return values.every((value) => value === target.exactly);
  return "atLeast" in target ? median(values) >= target.atLeast : median(values) <= target.atMost;
}

/** Runs both in every round and alternates which is first, so that other work of the machine affects both. */
export async function inTurns<First, Second>(
  rounds: number,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<{ first: First; second: Second }[]> {
  const readings: { first: First; second: Second }[] = [];
  for (let round = 0; round < rounds; round++) {
    const early = round % 2 === 0 ? await first() : undefined;
    const other = await second();
    readings.push({ first: early ?? (await first()), second: other });
  }
  return readings;
}
