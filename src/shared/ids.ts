import { z } from "zod";

/** The id of a row, as a whole number that JavaScript keeps exactly. */
export const rowId = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** The id of a farm. */
export const farmId = z.number().int().positive().max(2_147_483_647);
