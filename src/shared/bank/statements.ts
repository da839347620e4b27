import { z } from "zod";
import { dayOrders, statementLimits } from "./statement-texts.ts";

/**
 * Which columns of a bank's table hold what. It is kept per own account, and used again for files with the same
 * headings. Columns are counted from 0.
 */

const column = z
  .int()
  .min(0)
  .max(statementLimits.columns - 1);
const optionalColumn = column.nullable();

export const statementMapping = z.object({
  /** The headings as the file writes them; none where it has no heading row. */
  titles: z.array(z.string().max(200)).max(statementLimits.columns),
  date: column,
  valueDate: optionalColumn,
  narration: column,
  reference: optionalColumn,
  balance: optionalColumn,
  money: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("two_columns"), debit: column, credit: column }),
    /** `mark` is the column that says Dr or Cr; without it the amount's own sign or mark does. */
    z.object({ kind: z.literal("one_column"), amount: column, mark: optionalColumn }),
  ]),
  dayOrder: z.enum(["by_file", ...dayOrders]),
});
export type StatementMapping = z.infer<typeof statementMapping>;
