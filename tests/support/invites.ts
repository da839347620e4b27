import type { Deps } from "#server/platform/deps.ts";
import { queuedMailsTo } from "./deps.ts";

const invitation = /\/admin\/setup-account\?\S+#type=invite&access_token=(\d+-[0-9a-f]{64})/;

/** The tokens of the invitations that were mailed to an address and not yet sent out, oldest first. */
export async function invitesMailedTo(deps: Deps, email: string): Promise<string[]> {
  const mails = await queuedMailsTo(deps.db, email);
  return mails.flatMap(({ text }) => invitation.exec(text)?.[1] ?? []);
}
