import { randomUUID } from "node:crypto";
import { and, asc, eq, isNotNull, isNull, notExists, sql } from "drizzle-orm";
import { mailOwnerNews } from "#server/accounts/owners/owner-news.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { recoveryCodes, twoFactors, users } from "#server/db/schema/users.ts";
import type { Mail } from "#server/mail/layout.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { reportSecurityEvent } from "#server/platform/security-events.ts";
import { emailField } from "#shared/accounts/inputs.ts";
import { twoFactorTexts } from "#shared/accounts/two-factor-texts.ts";
import { twoFactorMail } from "./emails.ts";
import { handOverSession } from "./open-session.ts";
import { changeAsProved, type OwnProof, proveOwnAccount } from "./own-proof.ts";
import {
  countRecoveryCodes,
  findConfirmedFactor,
  isAppCode,
  removeSecondFactor,
  requiresTwoFactor,
  spendAppCode,
} from "./second-factor.ts";
import { endSessionsOf, requireSession, startSession } from "./sessions.ts";
import {
  encryptTwoFactorSecret,
  hashRecoveryCode,
  newRecoveryCodes,
  newTwoFactorSecret,
  otpauthUrl,
  qrDataUrl,
} from "./totp.ts";
import { findUserByEmail, holdsOwnerRole, lockUser, type User } from "./users.ts";

/**
 * Begins an enrolment: a secret for the caller's app, as a QR code (`qr`, an image's source), a link (`url`) and text
 * (`secret`, base32). It replaces an unconfirmed one, and sign-in doesn't need it yet. Asks for the password, because a
 * stranger at a signed-in browser could lock the owner out.
 */
export async function startTwoFactor(
  ctx: ActorContext,
  proof: OwnProof,
): Promise<{ secret: string; url: string; qr: string }> {
  const { id: userId, email } = ctx.actor;
  if (await findConfirmedFactor(ctx.db, userId)) throw new AppError("conflict", twoFactorTexts.alreadyOn);
  const proved = await proveOwnAccount(ctx, proof);
  const secret = newTwoFactorSecret();
  const encryptedSecret = encryptTwoFactorSecret({ appSecret: ctx.appSecret, userId }, secret);
  const createdAt = ctx.clock.now();
  const kept = await changeAsProved(ctx, proved, (tx) =>
    tx
      .insert(twoFactors)
      .values({ userId, encryptedSecret, createdAt })
      .onConflictDoUpdate({
        target: twoFactors.userId,
        set: { encryptedSecret, createdAt, lastUsedStep: null },
        setWhere: isNull(twoFactors.confirmedAt),
      })
      .returning({ userId: twoFactors.userId }),
  );
  if (kept.length === 0) throw new AppError("conflict", twoFactorTexts.alreadyOn);
  const url = otpauthUrl({ site: ctx.site.current(), secret, email });
  return { secret, url, qr: qrDataUrl(url) };
}

/**
 * Confirms the enrolment with a code from the app. Returns the recovery codes, which are shown only this once. All
 * sessions end; the caller's continues under a new token, with its remaining time.
 */
export async function confirmTwoFactor(ctx: ActorContext, { code }: { code: string }): Promise<{ codes: string[] }> {
  const { id: userId } = ctx.actor;
  const { codes, token } = await inTransaction(ctx.db, async (tx) => {
    const user = await lockUser(tx, userId);
    const { createdAt } = await requireSession(tx, ctx.actor);
    const [factor] = await tx.select().from(twoFactors).where(eq(twoFactors.userId, userId));
    if (!factor) throw new AppError("conflict", twoFactorTexts.startFirst);
    if (factor.confirmedAt !== null) throw new AppError("conflict", twoFactorTexts.alreadyOn);
    if (!isAppCode(code) || !(await spendAppCode(tx, ctx, { factor, code }))) {
      throw new AppError("invalid", twoFactorTexts.codeWrong, { fields: { code: [twoFactorTexts.codeWrong] } });
    }
    await tx
      .update(twoFactors)
      .set({ confirmedAt: ctx.clock.now() })
      .where(and(eq(twoFactors.userId, userId), isNull(twoFactors.confirmedAt)));
    const codes = await replaceRecoveryCodes(tx, ctx, userId);
    await endSessionsOf(tx, userId);
    const { userAgent: device, ipAddress } = ctx;
    const session = { userId, kind: "admin", device, ipAddress, createdAt } as const;
    const token = await startSession({ db: tx, clock: ctx.clock }, session);
    await recordAudit(tx, ctx, "two_factor_enabled", {});
    await queueSecurityMail(tx, ctx, user, twoFactorMail({ ...readerOf(ctx, user), change: "on" }));
    return { codes, token };
  });
  await handOverSession(ctx, "admin", { token });
  reportSecurityEvent(ctx, "second_factor_on", { userId, reason: "own_account" });
  return { codes };
}

/**
 * Returns ten new recovery codes, shown only this once, and invalidates the old ones. Asks for the password and a code.
 */
export async function renewRecoveryCodes(ctx: ActorContext, proof: OwnProof): Promise<{ codes: string[] }> {
  const renewed = await changeFactor(ctx, proof, async (tx, user) => {
    const codes = await replaceRecoveryCodes(tx, ctx, user.id);
    await recordAudit(tx, ctx, "recovery_codes_renewed", {});
    await queueSecurityMail(tx, ctx, user, twoFactorMail({ ...readerOf(ctx, user), change: "renewed" }));
    return { codes };
  });
  reportSecurityEvent(ctx, "recovery_codes_renewed", { userId: ctx.actor.id, reason: "own_account" });
  return renewed;
}

/** Asks for the password and a code. Refused while a second factor is mandatory for administrators. */
export async function switchOffTwoFactor(ctx: ActorContext, proof: OwnProof): Promise<void> {
  const refuseIfMandatory = async (db: Deps["db"] | Tx) => {
    if (await requiresTwoFactor(db)) throw new AppError("forbidden", twoFactorTexts.mandatory);
  };
  await refuseIfMandatory(ctx.db);
  await changeFactor(ctx, proof, async (tx, user) => {
    await refuseIfMandatory(tx);
    await removeSecondFactor(tx, user.id);
    await endSessionsOf(tx, user.id, ctx.actor.session.idHash);
    await recordAudit(tx, ctx, "two_factor_disabled", {});
    await queueSecurityMail(tx, ctx, user, twoFactorMail({ ...readerOf(ctx, user), change: "off" }));
  });
  reportSecurityEvent(ctx, "second_factor_off", { userId: ctx.actor.id, reason: "own_account" });
}

/** Changes the confirmed factor, after a proof by password and code. */
async function changeFactor<Result>(
  ctx: ActorContext,
  proof: OwnProof,
  change: (tx: Tx, user: User) => Promise<Result>,
): Promise<Result> {
  const requireFactor = async (db: Deps["db"] | Tx) => {
    if (!(await findConfirmedFactor(db, ctx.actor.id))) throw new AppError("conflict", twoFactorTexts.notOn);
  };
  await requireFactor(ctx.db);
  const proved = await proveOwnAccount(ctx, proof);
  return changeAsProved(ctx, proved, async (tx, user) => {
    await requireFactor(tx);
    return change(tx, user);
  });
}

/**
 * For a lost phone, on the command line: removes the factor and ends the account's sessions. Throws AppError if no
 * administrator has the address, or they have no second factor.
 */
export async function resetTwoFactor(
  deps: Pick<Deps, "clock" | "db" | "env" | "jobs" | "log" | "site">,
  { email }: { email: string },
): Promise<void> {
  const userId = await inTransaction(deps.db, async (tx) => {
    const address = emailField.safeParse(email);
    const user = address.success ? await findUserByEmail(tx, address.data) : null;
    if (!user?.isAdmin) throw new AppError("not_found", "No administrator has this email.");
    await lockUser(tx, user.id);
    if (!(await removeSecondFactor(tx, user.id))) throw new AppError("conflict", twoFactorTexts.notOn);
    await endSessionsOf(tx, user.id);
    const by = { actor: null, clock: deps.clock, ipAddress: null };
    await recordAudit(tx, by, "two_factor_reset", { userId: user.id, email: user.email, via: "command line" });
    await queueSecurityMail(tx, deps, user, twoFactorMail({ ...readerOf(deps, user), change: "off" }));
    if (await holdsOwnerRole(tx, user.id)) {
      await mailOwnerNews(tx, deps, { change: "second_factor_reset", person: user, by: null });
    }
    return user.id;
  });
  reportSecurityEvent(deps, "second_factor_off", { userId, reason: "command_line" });
}

async function replaceRecoveryCodes(tx: Tx, { appSecret }: Pick<Deps, "appSecret">, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ userId, codeHash: hashRecoveryCode({ appSecret, userId }, code) })));
  return codes;
}

type MailDeps = Pick<Deps, "clock" | "env" | "jobs" | "site">;

const readerOf = ({ clock, site }: Pick<Deps, "clock" | "site">, { fullName }: User) => ({
  fullName,
  site: site.current(),
  at: clock.now(),
});

/** Security mails can't be switched off, and are sent first. */
function queueSecurityMail(tx: Tx, deps: MailDeps, { email }: User, mail: Mail): Promise<void> {
  return queueMail(tx, deps, { eventKey: `two_factor:${randomUUID()}`, to: email, isSecurity: true, ...mail });
}

/**
 * The caller's second factor: since when (null: off), the number of unused recovery codes, and whether it is mandatory.
 */
export async function describeTwoFactor({ db, actor }: ActorContext) {
  const factor = await findConfirmedFactor(db, actor.id);
  return {
    enabledAt: factor?.confirmedAt ?? null,
    recoveryCodesLeft: factor ? await countRecoveryCodes(db, actor.id) : 0,
    isMandatory: await requiresTwoFactor(db),
  };
}

const namedAdmins = 20;

/** Active administrators without a second factor, by name. Making it mandatory stops them until they set it up. */
export async function listAdminsWithoutFactor({ db, actor }: ActorContext) {
  const hasFactor = db
    .select({ userId: twoFactors.userId })
    .from(twoFactors)
    .where(and(eq(twoFactors.userId, users.id), isNotNull(twoFactors.confirmedAt)));
  const isStopped = and(eq(users.isAdmin, true), eq(users.isBlocked, false), notExists(hasFactor));
  const found = await db
    .select({ id: users.id, fullName: users.fullName })
    .from(users)
    .where(isStopped)
    .orderBy(asc(sql`lower(${users.fullName})`), asc(users.id))
    .limit(namedAdmins);
  const count = found.length < namedAdmins ? found.length : await db.$count(users, isStopped);
  return { count, admins: found.map(({ id, fullName }) => ({ id, fullName, isSelf: id === actor.id })) };
}
