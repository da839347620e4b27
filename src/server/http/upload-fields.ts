import { z } from "zod";
import type { Deps } from "#server/core/deps.ts";
import { discardUpload } from "#server/core/discard-upload.ts";
import { AppError } from "#server/core/errors.ts";
import { errorTexts } from "#shared/errors.ts";

/** What came beside an uploaded file, if one came. Throws "invalid" with the fields' texts; the file is gone then. */
export async function parseUploadFields<Values extends object>(
  house: Pick<Deps, "log" | "storage">,
  schema: z.ZodType<Values>,
  { fields, key }: { fields: Record<string, string>; key: string | undefined },
): Promise<Values> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  if (key !== undefined) await discardUpload(house, key);
  throw new AppError("invalid", errorTexts.invalidInput, {
    fields: z.flattenError<object>(parsed.error).fieldErrors as Record<string, string[]>,
  });
}
