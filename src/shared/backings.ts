import { z } from "zod";
import { plainAddress } from "#shared/auth.ts";
import { cursor } from "#shared/pagination.ts";
import { projectId } from "#shared/projects.ts";
import { backingLimits, backingTexts } from "./backings-texts.ts";
import { type Kobo, parseNaira } from "./money.ts";

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
const weight = z
  .string(backingTexts.weightUnreadable)
  .trim()
  .transform((text, ctx): Kobo | null => {
    if (text === "") return null;
    const kobo = parseNaira(text);
    if (kobo !== null && kobo > 0n) return kobo;
    ctx.addIssue({
      code: "custom",
      message: kobo === null ? backingTexts.weightUnreadable : backingTexts.weightNothing,
    });
    return z.NEVER;
  });
const reason = z
  .string(backingTexts.reasonMissing)
  .trim()
  .min(1, backingTexts.reasonMissing)
  .max(backingLimits.reason, backingTexts.reasonLong);

/** The weight counts in the harvests of that round. */
export const setWeightInput = z.object({
  projectId,
  userId: z.uuid(),
  round: z.int().min(1).max(2_147_483_647),
  weight,
  reason,
});
