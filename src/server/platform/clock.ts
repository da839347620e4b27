/** Time is a dependency: rules ask the clock, tests move it. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
