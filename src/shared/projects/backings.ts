import { z } from "zod";
import { plainAddress } from "#shared/accounts/inputs.ts";
import { positiveInt } from "#shared/ids.ts";
import { type Kobo, parseNaira } from "#shared/money.ts";
import { cursor } from "#shared/pagination.ts";
import { shortText } from "#shared/short-text.ts";
import { backingTexts } from "./backings-texts.ts";
import { projectId } from "./inputs.ts";

export const listBackersInput = z.object({ projectId, cursor });

/** A person picked from the list, or else the typed email. */
export const grantBackingInput = z
  .object({
    projectId,
    userId: z.uuid().optional(),
    email: plainAddress(backingTexts.userNotFound).max(255, backingTexts.userNotFound).optional(),
  })
  .superRefine(({ userId, email }, ctx) => {
    if (userId !== undefined || email) return;
    const message = email === undefined ? backingTexts.notPicked : backingTexts.emailMissing;
    ctx.addIssue({ code: "custom", path: ["userId"], message });
  });

export const revokeGrantInput = z.object({ projectId, userId: z.uuid() });

/** The part that a granted backing has in a harvest, as typed; empty for none. */
const weight = shortText(backingTexts.weightUnreadable).transform((text, ctx): Kobo | null => {
  if (text === "") return null;
  const kobo = parseNaira(text);
  if (kobo !== null && kobo > 0n) return kobo;
  ctx.addIssue({
    code: "custom",
    message: kobo === null ? backingTexts.weightUnreadable : backingTexts.weightNothing,
  });
  return z.NEVER;
});

/** The form: in which round's harvests it counts, and how much. Why is said beside it, for the other owner. */
export const weightForm = z.object({ round: positiveInt, weight });

/** Kobo as digits; "0" takes the part away. `seenKobo` is what stood there when it was asked for. */
const weightKobo = z.string().regex(/^\d{1,16}$/);
export const weightDetails = z.object({
  projectId,
  userId: z.uuid(),
  round: weightForm.shape.round,
  weightKobo,
  seenKobo: weightKobo,
});
