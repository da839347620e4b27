import { eq } from "drizzle-orm";
import type { z } from "zod";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { users } from "#server/db/schema/users.ts";
import type { Payee } from "#server/features/payouts/payees/service.ts";
import { lockOpenPayouts } from "#server/features/payouts/service.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { findBank } from "#shared/bank/nigerian-banks.ts";
import { bankTexts, sentBackTexts } from "#shared/bank/texts.ts";
import { formatDay } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { maskedAccount, payeeAccountTexts as texts } from "#shared/payouts/payee-accounts-texts.ts";
import { enterPayeeAccountDetails } from "#shared/second-person/inputs.ts";
import { payeeAccountMail } from "./emails.ts";
import { type PayeeAccount, useAccount } from "./service.ts";

/**
 * The account of somebody who can't sign in, because they are blocked, have closed their account, or are no user but
 * sent us money by mistake: two owners enter it.
 */

type Details = z.output<typeof enterPayeeAccountDetails>;

const payeeOf = (details: Details): Payee =>
  "userId" in details ? { userId: details.userId } : { lineId: details.lineId };

async function describe(db: DbOrTx, details: Details) {
  const found =
    "userId" in details ? await describePerson(db, details.userId) : await describeSender(db, details.lineId);
  if (!found) return null;
  const { bankCode, accountNumber, accountName } = details;
  const account = `It goes to ${findBank(bankCode)?.name ?? bankCode}, ${accountNumber}, ${accountName}.`;
  return { ...found, consequences: [...found.said, account, found.from], projectId: null };
}

async function describePerson(db: DbOrTx, userId: string) {
  const [person] = await db.select().from(users).where(eq(users.id, userId));
  if (!person) return null;
  return {
    title: texts.title(person.fullName),
    said: [],
    from: "Everything that is due to them is paid there, two days from the confirmation on.",
    isPossible: person.isBlocked || person.closedAt !== null,
  };
}

async function describeSender(db: DbOrTx, lineId: number) {
  const [line] = await db.select().from(statementLines).where(eq(statementLines.id, lineId));
  if (!line) return null;
  return {
    title: sentBackTexts.accountTitle(formatNaira(line.amountKobo), formatDay(line.date)),
    said: [`The bank wrote: ${line.narration || "no narration"}`],
    from: "What of it goes back to its sender is paid there, two days from the confirmation on.",
    isPossible: line.ownAccountId !== null,
  };
}

/**
 * Locks whom the account would be of, and what is owed to them. Throws "not_found", or "conflict" if nobody has to
 * enter it for them.
 */
async function lockPayee(tx: Tx, details: Details) {
  if ("userId" in details) return lockPerson(tx, details.userId);
  const [line] = await tx.select().from(statementLines).where(eq(statementLines.id, details.lineId)).for("update");
  if (!line) throw new AppError("not_found", bankTexts.lineGone);
  const open = await lockOpenPayouts(tx, { lineId: line.id });
  if (open.length === 0) throw new AppError("conflict", sentBackTexts.nothingDue);
  return null;
}

/** Payouts come before people, as where a person gives their own account. */
async function lockPerson(tx: Tx, userId: string) {
  await lockOpenPayouts(tx, { userId });
  const [person] = await tx.select().from(users).where(eq(users.id, userId)).for("no key update");
  if (!person) throw new AppError("not_found", texts.personGone);
  if (!person.isBlocked && person.closedAt === null) throw new AppError("conflict", texts.notNeeded);
  return person;
}

export const enterPayeeAccountKind = secondPersonKind({
  schema: enterPayeeAccountDetails,
  needsProof: true,
  concerns: async (_db, details) => ("userId" in details ? [details.userId] : []),
  subjectOf: (details) => ("userId" in details ? details.userId : `line/${details.lineId}`),
  describe,
  require: async (tx, _ctx, details) => void (await lockPayee(tx, details)),
  act: async (tx, ctx, { details, requestId, reason }) => {
    const person = await lockPayee(tx, details);
    const { bankCode, accountNumber, accountName } = details;
    const payee = payeeOf(details);
    const at = ctx.clock.now();
    const entered = { bankCode, accountNumber, accountName, addedBy: ctx.actor.id, requestId, at };
    const { account } = await useAccount(tx, payee, entered);
    await recordAudit(tx, ctx, "enter_payee_account", {
      payeeAccountId: account.id,
      ...payee,
      account: maskedAccount(account),
      requestId,
      reason,
    });
    if (person) await mailPerson(tx, ctx, person, { account, at });
  },
});

type Person = typeof users.$inferSelect;

/** Whoever the account is of reads that owners entered it. */
async function mailPerson(
  tx: Tx,
  ctx: ActorContext,
  person: Person,
  { account, at }: { account: PayeeAccount; at: Date },
) {
  const to = person.closedAt === null ? person.email : person.contactEmail;
  if (to === null) return;
  const facts = { fullName: person.closedAt === null ? person.fullName : "", site: ctx.site.current() };
  const mail = payeeAccountMail({ ...facts, account, isByOwners: true, at });
  await queueMail(tx, ctx, { eventKey: `payee_account:${account.id}`, to, isUrgent: true, ...mail });
}
