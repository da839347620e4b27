import { buffer } from "node:stream/consumers";
import type { Deps } from "#server/platform/deps.ts";
import { inReadingTurn, requireWhole } from "./draw-photo.ts";
import { requireOpenPdf } from "./open-pdf.ts";
import { discardUpload, type ReceivedFile } from "./uploads.ts";

/**
 * Receipts and documents are stored as uploaded, so one that would fill an administrator's memory, shows nothing, is cut
 * off or needs a password is refused, and removed. Throws AppError "invalid".
 */
export async function requireShowable(
  deps: Pick<Deps, "log" | "storage">,
  { key, contentType }: Pick<ReceivedFile, "key" | "contentType">,
): Promise<void> {
  try {
    await inReadingTurn(async () => {
      const bytes = await buffer(await deps.storage.read(key));
      if (contentType.startsWith("image/")) await requireWhole(bytes);
      else await requireOpenPdf(deps, bytes);
    });
  } catch (error) {
    await discardUpload(deps, key);
    throw error;
  }
}
