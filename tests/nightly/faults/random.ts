/** Chances that are the same again with the same seed. */
export interface Random {
  /** From 0 up to, not including, the number. */
  below(count: number): number;
  chance(probability: number): boolean;
  /** The first ones are picked more often, so that people meet. */
  pick<T>(list: readonly T[]): T;
  weighted<T>(choices: readonly (readonly [T, number])[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // Mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const itemAt = <T>(list: readonly T[], index: number): T => {
    if (list.length === 0) throw new Error("nothing to pick from");
    return list[Math.min(index, list.length - 1)] as T;
  };
  return {
    below: (count) => Math.floor(next() * count),
    chance: (probability) => next() < probability,
    pick: (list) => itemAt(list, Math.floor(list.length * next() ** 2)),
    weighted(choices) {
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      const found = choices.find(([, weight]) => {
        left -= weight;
        return left < 0;
      });
      return (found ?? itemAt(choices, choices.length - 1))[0];
    },
  };
}
