import { z } from "zod";
import { rowId } from "#shared/ids.ts";
import { shortText } from "#shared/short-text.ts";
import { bankImportTexts as texts } from "./import-texts.ts";
import { sameLinesAnswers } from "./statement-import-texts.ts";
import { type StatementMapping, statementMapping } from "./statements.ts";
import { bankLimits } from "./texts.ts";

/** The form beside a statement's file. */

const accountId = z
  .string(texts.accountMissing)
  .regex(/^\d{1,15}$/, texts.accountMissing)
  .transform(Number)
  .pipe(rowId);

const mapping = z.string().transform((text, ctx): StatementMapping => {
  try {
    return statementMapping.parse(JSON.parse(text));
  } catch {
    ctx.addIssue({ code: "custom", message: texts.mappingInvalid });
    return z.NEVER;
  }
});

export const importStatementFields = z.object({
  accountId,
  /** The columns, as somebody has confirmed or chosen them. */
  mapping: mapping.optional(),
  /** The balance before the first line, where the file prints none. */
  openingNaira: shortText().max(40, texts.openingInvalid).optional(),
  /** True if the lines that were shown with two texts are known ones. */
  sameLines: z.enum(sameLinesAnswers).optional(),
  /** The reason why the gaps shown are no mistake. */
  gapReason: shortText().max(bankLimits.reasonLength, texts.gapReasonTooLong).optional(),
});

export const sampleStatementQuery = z.object({ accountId });
