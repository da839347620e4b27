import { readPositiveInt } from "#client/lib/addresses.ts";

/** What the address of an operator's text may name: one of its versions. */
export const readVersionSearch = (input: Record<string, unknown>): { version?: number | undefined } => ({
  version: readPositiveInt(input.version),
});
