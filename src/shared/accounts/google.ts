import { z } from "zod";
import { accountPassword } from "./inputs.ts";
import { sessionKinds } from "./sessions.ts";

/** The query of a callback page, and the kind of that page. Providers may send long values. */
export const finishGoogleInput = z.object({
  kind: z.enum(sessionKinds),
  code: z.string().max(4000).optional(),
  state: z.string().max(500).optional(),
  error: z.string().max(500).optional(),
});
export type FinishGoogleInput = z.infer<typeof finishGoogleInput>;

/** The password of the account with the Google account's address. */
export const linkGoogleByPasswordInput = z.object({ password: accountPassword });

/** The query of the address that starts a flow. Malformed values are ignored. */
export const beginGoogleQuery = z.object({
  kind: z.enum(sessionKinds).catch("backer"),
  purpose: z.enum(["sign-in", "sign-up"]).catch("sign-in"),
  next: z.string().max(500).optional().catch(undefined),
  isMoved: z.literal("1").optional().catch(undefined),
});
export type BeginGoogleQuery = Omit<z.infer<typeof beginGoogleQuery>, "isMoved">;
