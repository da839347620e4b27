import { errorText } from "#client/lib/errors.ts";
import { authTexts } from "#shared/auth.ts";

/** Why somebody isn't let in, for the person: the administrators' doors refuse in other words than they say. */
export function entryErrorText(error: unknown): string {
  const text = errorText(error);
  return text === authTexts.notAdmin ? authTexts.noAdminAccess : text;
}
