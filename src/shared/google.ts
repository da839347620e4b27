import { z } from "zod";
import { accountPassword } from "#shared/auth.ts";
import { sessionKinds } from "#shared/sessions.ts";

/** The query of a callback page, and whose page it is. What a provider may send is longer than anything of ours. */
export const finishGoogleInput = z.object({
  kind: z.enum(sessionKinds),
  code: z.string().max(4000).optional(),
  state: z.string().max(500).optional(),
  error: z.string().max(500).optional(),
});
export type FinishGoogleInput = z.infer<typeof finishGoogleInput>;

/** Of the account that has the same address as the Google account. */
export const linkGoogleByPasswordInput = z.object({ password: accountPassword });

/** The query of the address where a flow begins. What is malformed is taken as left out. */
export const beginGoogleQuery = z.object({
  kind: z.enum(sessionKinds).catch("backer"),
  purpose: z.enum(["sign-in", "sign-up"]).catch("sign-in"),
  next: z.string().max(500).optional().catch(undefined),
  isMoved: z.literal("1").optional().catch(undefined),
});
export type BeginGoogleQuery = Omit<z.infer<typeof beginGoogleQuery>, "isMoved">;
