import type { SQL } from "drizzle-orm";

/** A row that violates an invariant, with a description. A check without violations has passed. */
export type Violation = { violation: string; row: unknown };
export type Check = { name: string; violations: Violation[] };

/** An invariant of the books: its number and sentence, and the query of the rows that violate it at a moment. */
export type Invariant = { name: string; query: (now: Date) => SQL };
