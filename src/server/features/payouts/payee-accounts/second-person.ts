import { eq } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";
import { lockOpenPayouts } from "#server/features/payouts/service.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { findBank } from "#shared/bank/nigerian-banks.ts";
import { maskedAccount, payeeAccountTexts as texts } from "#shared/payouts/payee-accounts-texts.ts";
import type { enterPayeeAccountDetails } from "#shared/second-person/inputs.ts";
import { payeeAccountMail } from "./emails.ts";
import { useAccount } from "./service.ts";

/** The account of somebody who can't sign in, because they are blocked or have closed their account: two owners enter it. */

type Details = z.output<typeof enterPayeeAccountDetails>;

async function describe(db: DbOrTx, { userId, bankCode, accountNumber, accountName }: Details) {
  const [person] = await db.select().from(users).where(eq(users.id, userId));
  if (!person) return null;
  return {
    title: texts.title(person.fullName),
    consequences: [
      `It goes to ${findBank(bankCode)?.name ?? bankCode}, ${accountNumber}, ${accountName}.`,
      "Everything that is due to them is paid there, two days from the confirmation on.",
    ],
    isPossible: person.isBlocked || person.closedAt !== null,
    projectId: null,
  };
}

/** Payouts come before people, as where a person gives their own account. */
async function lockPayee(tx: Tx, { userId }: Details) {
  await lockOpenPayouts(tx, { userId });
  const [person] = await tx.select().from(users).where(eq(users.id, userId)).for("no key update");
  if (!person) throw new AppError("not_found", texts.personGone);
  if (!person.isBlocked && person.closedAt === null) throw new AppError("conflict", texts.notNeeded);
  return person;
}

/** What the second person confirms. */
export const enterPayeeAccountKind = {
  subjectOf: ({ userId }: Details): string => userId,
  describe,
  require: async (tx: Tx, _ctx: ActorContext, details: Details) => void (await lockPayee(tx, details)),
  act: async (
    tx: Tx,
    ctx: ActorContext,
    { details, requestId, reason }: { details: Details; requestId: number; reason: string },
  ): Promise<void> => {
    const { userId, ...account } = details;
    const person = await lockPayee(tx, details);
    const at = ctx.clock.now();
    const used = await useAccount(tx, { userId }, { ...account, addedBy: ctx.actor.id, requestId, at });
    await recordAudit(tx, ctx, "enter_payee_account", {
      payeeAccountId: used.account.id,
      userId,
      account: maskedAccount(used.account),
      requestId,
      reason,
    });
    const to = person.closedAt === null ? person.email : person.contactEmail;
    if (to === null) return;
    const facts = { fullName: person.closedAt === null ? person.fullName : "", publicUrl: ctx.env.publicUrl };
    const mail = payeeAccountMail({ ...facts, account: used.account, isByOwners: true, at });
    await queueMail(tx, ctx, { eventKey: `payee_account:${used.account.id}`, to, isUrgent: true, ...mail });
  },
};
