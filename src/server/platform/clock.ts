/** Time is a dependency, so that tests can move the clock. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
