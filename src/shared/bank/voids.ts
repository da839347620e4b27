import { z } from "zod";
import { rowId } from "#shared/ids.ts";

/**
 * The bank data of an account that two owners void: a file with its lines, one line, or the balance before the first
 * line.
 */
export const voidBankDataDetails = z.discriminatedUnion("what", [
  z.object({ what: z.literal("statement"), statementId: rowId }),
  z.object({ what: z.literal("line"), lineId: rowId }),
  z.object({ what: z.literal("opening"), accountId: rowId }),
]);
export type VoidBankDataDetails = z.infer<typeof voidBankDataDetails>;

/** Voids of an account. */
export const listVoidsInput = z.object({ accountId: rowId });
