/** Time is a dependency, so that tests can move the clock. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** Now, or 1 ms after the last change if the clock hasn't advanced, so that two changes never have the same time. */
export function laterThan(last: Date, now: Date): Date {
  return new Date(Math.max(now.getTime(), last.getTime() + 1));
}
