import { z } from "zod";
import { plainAddress } from "#shared/auth.ts";
import { cursor } from "#shared/pagination.ts";
import { projectId } from "#shared/projects.ts";
import { backingTexts } from "./backings-texts.ts";

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
