import { and, count, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { settings } from "#server/db/schema/settings.ts";
import { recoveryCodes, twoFactors } from "#server/db/schema/users.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { DecryptionError } from "#server/platform/secret.ts";
import { twoFactorTexts } from "#shared/accounts/two-factor-texts.ts";
import { isSwitchedOn, requireTwoFactorKey } from "#shared/settings/texts.ts";
import { decryptTwoFactorSecret, matchRecoveryCode, verifyCode } from "./totp.ts";

/** Returns true if administrators must have a second factor (setting requiretwofactor; optional by default). */
export async function requiresTwoFactor(db: DbOrTx): Promise<boolean> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, requireTwoFactorKey));
  return isSwitchedOn(row?.value);
}

/** The second factor in the database: the account's factor and codes, each of which counts once. */
type TwoFactor = typeof twoFactors.$inferSelect;
type FactorDeps = Pick<Deps, "appSecret" | "clock" | "log">;

/** Which kind of code was used. */
export type FactorUse = "code" | "recovery_code";

/** The account's factor, if it is confirmed. */
export async function findConfirmedFactor(db: DbOrTx, userId: string): Promise<TwoFactor | null> {
  const [factor] = await db
    .select()
    .from(twoFactors)
    .where(and(eq(twoFactors.userId, userId), isNotNull(twoFactors.confirmedAt)));
  return factor ?? null;
}

/** Returns true if the account needs a code: at sign-in, and for changes that the password protects. */
export async function isCodeAsked(db: DbOrTx, user: { id: string; isAdmin: boolean }): Promise<boolean> {
  return user.isAdmin && (await findConfirmedFactor(db, user.id)) !== null;
}

const unusedCodesOf = (userId: string) => and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt));

/** The number of an account's unused recovery codes. */
export async function countRecoveryCodes(db: DbOrTx, userId: string): Promise<number> {
  const [counted] = await db.select({ count: count() }).from(recoveryCodes).where(unusedCodesOf(userId));
  return counted?.count ?? 0;
}

/**
 * Part of a transaction: uses up an app code or a recovery code of the account's confirmed factor. Null, with nothing
 * written, if the code is wrong, was used before, or is being used by another request.
 */
export async function spendCode(
  tx: Tx,
  deps: FactorDeps,
  { userId, code }: { userId: string; code: string },
): Promise<FactorUse | null> {
  const factor = await findConfirmedFactor(tx, userId);
  if (!factor) return null;
  if (isAppCode(code)) return (await spendAppCode(tx, deps, { factor, code })) ? "code" : null;
  const owner = { appSecret: deps.appSecret, userId };
  const unused = await tx.select({ hash: recoveryCodes.codeHash }).from(recoveryCodes).where(unusedCodesOf(userId));
  const hashes = unused.map(({ hash }) => hash);
  const codeHash = matchRecoveryCode(owner, code, { hashes, encrypted: factor.encryptedSecret });
  if (codeHash === null) return null;
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: deps.clock.now() })
    .where(and(unusedCodesOf(userId), eq(recoveryCodes.codeHash, codeHash)))
    .returning({ hash: recoveryCodes.codeHash });
  return used.length === 1 ? "recovery_code" : null;
}

/** Only app codes are six digits: recovery codes contain letters, and passwords are longer. */
export const isAppCode = (given: string): boolean => /^\d{6}$/.test(given.replace(/\s/g, ""));

/** Part of a transaction: whether the code is right and its time step unused. Marks the step as used. */
export async function spendAppCode(
  tx: Tx,
  deps: FactorDeps,
  { factor, code }: { factor: TwoFactor; code: string },
): Promise<boolean> {
  const { userId } = factor;
  const lastUsedStep = factor.lastUsedStep === null ? null : Number(factor.lastUsedStep);
  const step = verifyCode({ secret: readSecret(deps, factor), code, now: deps.clock.now(), lastUsedStep });
  if (step === null) return false;
  const isLater = or(isNull(twoFactors.lastUsedStep), sql`${twoFactors.lastUsedStep}::bigint < ${step}::bigint`);
  const taken = await tx
    .update(twoFactors)
    .set({ lastUsedStep: String(step) })
    .where(and(eq(twoFactors.userId, userId), eq(twoFactors.encryptedSecret, factor.encryptedSecret), isLater))
    .returning({ userId: twoFactors.userId });
  return taken.length === 1;
}

function readSecret({ appSecret, log }: FactorDeps, { userId, encryptedSecret }: TwoFactor): string {
  try {
    return decryptTwoFactorSecret({ appSecret, userId }, encryptedSecret);
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    log.error({ err: error, userId }, "a second factor can't be read: was APP_SECRET changed?");
    throw new AppError("unavailable", twoFactorTexts.unreadable, { cause: error });
  }
}

/** Part of a transaction: removes the factor and its recovery codes. Returns whether a confirmed one existed. */
export async function removeSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  const removed = await tx
    .delete(twoFactors)
    .where(eq(twoFactors.userId, userId))
    .returning({ confirmedAt: twoFactors.confirmedAt });
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  return removed.some(({ confirmedAt }) => confirmedAt !== null);
}
