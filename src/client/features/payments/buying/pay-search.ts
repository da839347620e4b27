import { readPositiveInt } from "#client/lib/addresses.ts";

/** The search parameters of /back-project. */
export type PaySearch = {
  /** How many lots are chosen; left out where it is what the page begins with. The page bounds it, and the server decides. */
  lots?: number | undefined;
};

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export const readPaySearch = ({ lots }: Record<string, unknown>): PaySearch => ({ lots: readPositiveInt(lots) });
