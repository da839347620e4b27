/**
 * True for a long run. Random, raced and stepped tests play a few times with every change, and at length by `npm run
 * test:nightly`, which walks the journeys tagged `@nightly` too.
 */
export const isLong = process.env.TEST_LENGTH === "long";

/** How often two people meet in a race. */
export const raceRounds = isLong ? 50 : 3;
