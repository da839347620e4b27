import { randomUUID } from "node:crypto";
import { recoveryCodeUsedMail } from "#server/core/account-mails.ts";
import { recordAudit } from "#server/core/audit.ts";
import type { Context } from "#server/core/context.ts";
import { queueMail } from "#server/core/outbox.ts";
import { countRecoveryCodes } from "#server/core/second-factor.ts";
import type { Tx } from "#server/db/open.ts";
import type { users } from "#server/db/schema/users.ts";

/** What attempts at an account's codes are counted under: a right password must not set them back. */
export const secondFactorSubject = (userId: string): string => `second-factor:${userId}`;

/** Part of the transaction that used a recovery code up: it is written down and mailed. */
export async function tellOfRecoveryCode(tx: Tx, ctx: Context, user: typeof users.$inferSelect): Promise<void> {
  const left = await countRecoveryCodes(tx, user.id);
  await recordAudit(tx, { ...ctx, actor: user }, "recovery_code_used", { left });
  const reader = { fullName: user.fullName, publicUrl: ctx.env.publicUrl, at: ctx.clock.now() };
  const eventKey = `two_factor:${randomUUID()}`;
  await queueMail(tx, ctx, { eventKey, to: user.email, isUrgent: true, ...recoveryCodeUsedMail({ ...reader, left }) });
}
