import { buffer } from "node:stream/consumers";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { pdfTexts } from "#shared/files.ts";
import { isCutPdf } from "./content.ts";
import { requireWhole } from "./draw-photo.ts";
import { discardUpload, type ReceivedFile } from "./uploads.ts";

/**
 * Receipts and documents are stored as uploaded, so one that would fill an administrator's memory, shows nothing or is cut
 * off is refused, and removed. Throws AppError "invalid".
 */
export async function requireShowable(
  deps: Pick<Deps, "log" | "storage">,
  { key, contentType }: Pick<ReceivedFile, "key" | "contentType">,
): Promise<void> {
  try {
    const bytes = await buffer(await deps.storage.read(key));
    if (contentType.startsWith("image/")) await requireWhole(bytes);
    else if (isCutPdf(bytes)) {
      throw new AppError("invalid", pdfTexts.unreadable, { fields: { file: [pdfTexts.unreadable] } });
    }
  } catch (error) {
    await discardUpload(deps, key);
    throw error;
  }
}
