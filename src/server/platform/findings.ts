/** What a self-check found: each violated row, with what is wrong with it. All is well where there is none. */
export type Violation = { violation: string; row: unknown };
export type Check = { name: string; violations: Violation[] };
