import { createHash } from "node:crypto";
import { and, eq, gt, isNull } from "drizzle-orm";
import { handOverSession, openSession } from "#server/accounts/open-session.ts";
import { keepOwnerTerms } from "#server/accounts/owners/owner-terms.ts";
import { hashPassword, refuseGuessable } from "#server/accounts/passwords.ts";
import { requireSession } from "#server/accounts/sessions.ts";
import { insertUser, lockUser } from "#server/accounts/users.ts";
import { inTransaction } from "#server/db/open.ts";
import { mailProofs, setupCodes } from "#server/db/schema/site.ts";
import { userRoles } from "#server/db/schema/users.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError, fieldRefusal } from "#server/platform/errors.ts";
import { networkOf } from "#server/platform/network.ts";
import { limitRate, takeHitBack } from "#server/platform/rate-limit.ts";
import { newLetterCode } from "#server/platform/references.ts";
import { reportSecurityEvent } from "#server/platform/security-events.ts";
import { errorTexts } from "#shared/errors.ts";
import { setupLimits as limits, setupTexts as texts } from "#shared/site/setup-texts.ts";
import { mailCodeMail } from "./emails.ts";
import { isSetupOpen } from "./queries.ts";

const hourSeconds = 3600;

/** Codes are typed in any case, with or without their dash. */
const hashCode = (code: string): string =>
  createHash("sha256")
    .update(code.replace(/[\s\p{Dash}]+/gu, "").toUpperCase())
    .digest("hex");

/**
 * At each start of a server without an owner: keeps the hash of a new code, and writes the code and where to enter it
 * into the log. The codes of earlier starts and of other servers hold, too.
 */
export async function announceSetup({
  db,
  clock,
  env,
  log,
}: Pick<Deps, "db" | "clock" | "env" | "log">): Promise<void> {
  if (!(await isSetupOpen(db))) return;
  const code = newLetterCode();
  await db.insert(setupCodes).values({ codeHash: hashCode(code), createdAt: clock.now() });
  // Also where only warnings are written.
  log.warn(`Set up this site: ${env.publicUrl}/setup  Code: ${code}`);
}

/** As of any unknown address. */
const gone = () => new AppError("not_found", errorTexts.notFound);

/**
 * Checks a code of /setup. Wrong ones are counted, right ones aren't. Throws "not_found" once the site has had an owner, "Too
 * many attempts. …", or "This is not a code of this server. …". Returns the code's hash.
 */
export async function checkSetupCode(ctx: Context, { code }: { code: string }): Promise<string> {
  if (!(await isSetupOpen(ctx.db))) throw gone();
  const keys = { network: `setup-code:${networkOf(ctx.ipAddress)}`, all: "setup-code" };
  await limitRate(ctx, keys.network, { hits: limits.triesOfNetwork, windowSeconds: hourSeconds });
  await limitRate(ctx, keys.all, { hits: limits.tries, windowSeconds: hourSeconds });
  const codeHash = hashCode(code);
  const [found] = await ctx.db.select().from(setupCodes).where(eq(setupCodes.codeHash, codeHash));
  if (!found) {
    reportSecurityEvent(ctx, "setup_refused", { userId: null, reason: "wrong_code" });
    throw fieldRefusal("code", texts.codeWrong);
  }
  await takeHitBack(ctx, keys.network);
  await takeHitBack(ctx, keys.all);
  return codeHash;
}

/**
 * Creates the first owner with the code from the log, and signs them in. The address counts as verified, because
 * whoever reads the log runs the server. Throws as {@link checkSetupCode} does, and as signing up does.
 */
export async function beginSite(
  ctx: Context,
  { code, fullName, email, password }: { code: string; fullName: string; email: string; password: string },
): Promise<void> {
  const codeHash = await checkSetupCode(ctx, { code });
  await refuseGuessable(password, { fullName, email, site: ctx.site.current() });
  const passwordHash = await hashPassword(password);
  const entry = await inTransaction(ctx.db, async (tx) => {
    // Others with a code wait here for the commit, and find none left.
    const codes = await tx.delete(setupCodes).returning();
    if (!codes.some((kept) => kept.codeHash === codeHash) || !(await isSetupOpen(tx))) throw gone();
    const now = ctx.clock.now();
    const values = { email, fullName, passwordHash, isAdmin: true, emailVerifiedAt: now };
    const { id } = await insertUser(tx, ctx.clock, values);
    await tx.insert(userRoles).values({ userId: id, role: "owner", createdAt: now });
    await keepOwnerTerms(tx, now);
    await recordAudit(tx, { ...ctx, actor: { id, email } }, "begin_site", { userId: id });
    return openSession(tx, ctx, { id, isAdmin: true });
  });
  await handOverSession(ctx, "admin", entry);
}

/**
 * Mails a code to the caller, to show that mails leave the server. Throws "unavailable" where a real site has no mail server,
 * or "Too many attempts. …".
 */
export async function sendMailCode(ctx: ActorContext): Promise<{ sentTo: string }> {
  const { env, actor, clock, site } = ctx;
  if (env.isMailKept) throw new AppError("unavailable", texts.mailKept);
  await limitRate(ctx, `mail-code:${actor.id}`, { hits: limits.mailCodes, windowSeconds: hourSeconds });
  const code = newLetterCode();
  return inTransaction(ctx.db, async (tx) => {
    const { email: sentTo, fullName } = await lockUser(tx, actor.id);
    await requireSession(tx, actor);
    const [proof] = await tx
      .insert(mailProofs)
      .values({ codeHash: hashCode(code), sentTo, askedBy: actor.id, createdAt: clock.now() })
      .returning({ id: mailProofs.id });
    const mail = mailCodeMail({ fullName, site: site.current(), code });
    await queueMail(tx, ctx, {
      ...mail,
      eventKey: `mail_proof:${proof?.id}`,
      to: sentTo,
      isSecurity: true,
      holdsToken: true,
    });
    await recordAudit(tx, ctx, "send_mail_code", {});
    return { sentTo };
  });
}

/**
 * Takes the code of a mail that the caller received: mails leave the server. Throws "This is not the code of a mail of
 * the last 24 hours. …" or "Too many attempts. …".
 */
export async function proveMail(ctx: ActorContext, { code }: { code: string }): Promise<void> {
  const { actor, clock } = ctx;
  const key = `mail-proof:${actor.id}`;
  await limitRate(ctx, key, { hits: limits.mailTries, windowSeconds: hourSeconds });
  const since = new Date(clock.now().getTime() - limits.mailCodeHours * hourSeconds * 1000);
  await inTransaction(ctx.db, async (tx) => {
    await lockUser(tx, actor.id);
    await requireSession(tx, actor);
    const [proven] = await tx
      .update(mailProofs)
      .set({ provenAt: clock.now() })
      .where(
        and(
          eq(mailProofs.askedBy, actor.id),
          eq(mailProofs.codeHash, hashCode(code)),
          gt(mailProofs.createdAt, since),
          isNull(mailProofs.provenAt),
        ),
      )
      .returning({ id: mailProofs.id });
    if (!proven) throw fieldRefusal("code", texts.mailCodeWrong);
    await recordAudit(tx, ctx, "prove_mail", {});
  });
  await takeHitBack(ctx, key);
}
