/** A violated row of a self-check, with a description. A check without violations has passed. */
export type Violation = { violation: string; row: unknown };
export type Check = { name: string; violations: Violation[] };
