import { z } from "zod";

/** The id of a row, as a whole number that JavaScript keeps exactly. */
export const rowId = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** The same in an address or a form with a file, whose values are texts. */
export const rowIdField = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(Number)
  .pipe(rowId);

/** A whole number from 1 on that fits PostgreSQL's integer: the id of a project or a farm, or the number of a round. */
export const positiveInt = z.number().int().positive().max(2_147_483_647);
