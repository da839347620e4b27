import { asc, eq } from "drizzle-orm";
import { reencryptFactor } from "#server/accounts/totp.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { twoFactors, users } from "#server/db/schema/users.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { adoptNextSecret, DecryptionError, dropNextSecret, prepareNextSecret } from "#server/platform/secret.ts";
import { reportSecurityEvent } from "#server/platform/security-events.ts";
import type { CommandResult } from "./commands.ts";

type RotationDeps = Pick<Deps, "appSecret" | "db" | "env" | "log">;

/**
 * Re-encrypts everything from the old secret to the new one, all or nothing. A repeated run changes nothing more, and
 * an interrupted one continues.
 * With `oldSecret` the new secret is the server's (APP_SECRET, or the file). Without it, if DATA_DIR stores the secret,
 * a new one is generated. It is on the disk before the database changes, and replaces the old one afterwards.
 * Throws AppError, with nothing changed, if neither secret decrypts a factor.
 */
export async function rotateSecret(
  deps: RotationDeps,
  { oldSecret }: { oldSecret: string | undefined },
): Promise<CommandResult> {
  const { appSecret, env } = deps;
  const makesNew = oldSecret === undefined && env.appSecret === undefined;
  if (oldSecret === undefined && !makesNew)
    throw new AppError("invalid", "OLD_APP_SECRET is missing: nothing was changed.");
  if (oldSecret === appSecret) {
    throw new AppError("invalid", "OLD_APP_SECRET is the secret that is in use: nothing was changed.");
  }
  const from = oldSecret ?? appSecret;
  const next = makesNew ? await prepareNextSecret(env.dataDir) : null;
  const to = next?.secret ?? appSecret;
  const { changed, total } = await inTransaction(deps.db, (tx) => reencryptAll(tx, { from, to })).catch(
    async (error: unknown) => {
      // Only a refusal guarantees that nothing was committed.
      if (next?.isNew && error instanceof AppError) await dropNextSecret(env.dataDir);
      throw error;
    },
  );
  if (makesNew) await adoptNextSecret(env.dataDir);
  reportSecurityEvent(deps, "secret_rotated", { userId: null, reason: "command_line" });
  return {
    isOk: true,
    lines: [
      `The new secret opens all second factors (${total}); ${changed} were encrypted anew.`,
      "Start every server with it now: one that still has the old secret can't read them.",
    ],
  };
}

async function reencryptAll(tx: Tx, { from, to }: { from: string; to: string }) {
  const found = await tx
    .select({ userId: twoFactors.userId, email: users.email, encryptedSecret: twoFactors.encryptedSecret })
    .from(twoFactors)
    .innerJoin(users, eq(users.id, twoFactors.userId))
    .orderBy(asc(twoFactors.userId))
    .for("update", { of: twoFactors });
  const unreadable: string[] = [];
  let changed = 0;
  for (const { userId, email, encryptedSecret: before } of found) {
    try {
      const encryptedSecret = reencryptFactor({ from, to, userId }, before);
      if (encryptedSecret === null) continue;
      await tx.update(twoFactors).set({ encryptedSecret }).where(eq(twoFactors.userId, userId));
      changed += 1;
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error;
      unreadable.push(email);
    }
  }
  if (unreadable.length > 0) throw new AppError("conflict", refusal(unreadable, found.length));
  return { changed, total: found.length };
}

const NAMED = 5;

function refusal(unreadable: string[], total: number): string {
  const some = unreadable.slice(0, NAMED).join(", ");
  const named = unreadable.length > NAMED ? `${some}, …` : some;
  return [
    `${unreadable.length} of ${total} second factors open with neither secret (${named}): nothing was changed.`,
    "Give the old secret as it was; one that is damaged can be taken away: npm run admin -- reset-two-factor --email E",
  ].join("\n");
}
