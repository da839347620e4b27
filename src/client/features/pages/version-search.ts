import { readPositiveInt } from "#client/lib/addresses.ts";

/** Reads the version that the address of an operator's text may name. */
export const readVersionSearch = (input: Record<string, unknown>): { version?: number | undefined } => ({
  version: readPositiveInt(input.version),
});
