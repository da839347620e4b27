import { and, asc, eq, gt, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { findIdentityOf } from "#server/accounts/google/identities.ts";
import { listSessionsOf } from "#server/accounts/sessions.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { harvestParts, harvests, roundWeights } from "#server/db/schema/harvests.ts";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { notificationOptOuts, notifications, outgoingMails } from "#server/db/schema/notifications.ts";
import { papers } from "#server/db/schema/papers.ts";
import { paymentReceipts, paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { payeeAccounts, payouts } from "#server/db/schema/payouts.ts";
import { projectBackings, projectFavorites, projectMessages, projects } from "#server/db/schema/projects.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { knownDevices } from "#server/db/schema/sessions.ts";
import { settlementParts, settlements } from "#server/db/schema/settlements.ts";
import { adminInvites, contactMessages, jobApplications } from "#server/db/schema/team.ts";
import { twoFactors, userRoles, users } from "#server/db/schema/users.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { isProved } from "#server/platform/procedures.ts";
import { decimalText } from "#server/platform/text.ts";
import { nameDevice } from "#shared/accounts/device-name.ts";
import type { Kobo } from "#shared/money.ts";
import { alwaysMailedKinds } from "#shared/notifications/inputs.ts";
import { paperNumber } from "#shared/papers/texts.ts";

type Row = Record<string, unknown>;
const batch = 200;

/**
 * All data about the caller as one JSON object, in pieces, so that memory use is constant. It contains no secrets
 * (tokens, hashes, keys), and nothing about other people. Times are ISO 8601 in UTC.
 */
export async function* writeMyData(ctx: ActorContext): AsyncGenerator<string> {
  const mine = ctx.actor.id;
  yield `{\n"madeAt": ${JSON.stringify(ctx.clock.now())},\n"account": ${JSON.stringify(await findAccount(ctx))}`;
  for (const [name, read] of Object.entries(lists)) {
    yield `,\n${JSON.stringify(name)}: [`;
    let separator = "\n";
    for (let after = 0; ; ) {
      const { items, next } = await read(ctx, mine, after);
      for (const item of items) {
        yield separator + JSON.stringify(item);
        separator = ",\n";
      }
      if (next === null) break;
      after = next;
    }
    yield "]";
  }
  yield "\n}\n";
}

async function findAccount(ctx: ActorContext): Promise<Row> {
  const { db, actor } = ctx;
  const [user] = await db.select().from(users).where(eq(users.id, actor.id));
  if (!user) throw new Error("the account is gone");
  const { id, email, fullName, emailVerifiedAt, isAdmin, createdAt, updatedAt, lastActivityAt } = user;
  const roles = await db.select({ role: userRoles.role }).from(userRoles).where(eq(userRoles.userId, id));
  const [factor] = await db
    .select({ since: twoFactors.createdAt })
    .from(twoFactors)
    .where(and(eq(twoFactors.userId, id), isNotNull(twoFactors.confirmedAt)));
  const optOuts = await db
    .select({ kind: notificationOptOuts.kind, since: notificationOptOuts.createdAt })
    .from(notificationOptOuts)
    .where(eq(notificationOptOuts.userId, id));
  return {
    id,
    email,
    fullName,
    emailVerifiedAt,
    createdAt,
    updatedAt,
    lastActivityAt,
    hasPassword: user.passwordHash !== null,
    secondFactor: factor ?? null,
    google: await findIdentityOf(db, id),
    isAdmin,
    roles: roles.map(({ role }) => role),
    consents: { mailsSwitchedOff: optOuts, mailsThatAlwaysCome: alwaysMailedKinds },
  };
}

/** Reads one batch of a list after the row `after`. `next` is where the next batch begins; null at the end. */
type Read = (ctx: ActorContext, userId: string, after: number) => Promise<{ items: Row[]; next: number | null }>;

function inBatches<T extends { key: number }>(
  read: (ctx: ActorContext, userId: string, after: number) => Promise<T[]>,
  show: (ctx: ActorContext, found: Omit<T, "key">[]) => Row[] | Promise<Row[]> = (_, found) => found,
): Read {
  return async (ctx, userId, after) => {
    const found = await read(ctx, userId, after);
    const next = found.length < batch ? null : (found.at(-1)?.key ?? null);
    return {
      items: await show(
        ctx,
        found.map(({ key: _, ...rest }) => rest),
      ),
      next,
    };
  };
}

const naira = (kobo: Kobo) => ({ naira: decimalText(kobo, 2), kobo: String(kobo) });

/** "577.743" of a round's unit. */
const units = (thousandths: bigint | null) =>
  thousandths === null
    ? null
    : {
        units: decimalText(thousandths, 3),
        thousandths: String(thousandths),
      };

const lists: Record<string, Read> = {
  sessions: async (ctx, userId) => {
    const found = await listSessionsOf(ctx, userId);
    const items = found.map(({ device, ipAddress, kind, createdAt, lastActivityAt, expiresAt }) => ({
      device: nameDevice(device),
      browser: device,
      ipAddress,
      kind,
      createdAt,
      lastActivityAt,
      expiresAt,
    }));
    return { items, next: null };
  },
  devices: async ({ db }, userId) => {
    const found = await db
      .select({ browser: knownDevices.label, firstSeenAt: knownDevices.createdAt, lastSeenAt: knownDevices.lastSeenAt })
      .from(knownDevices)
      .where(eq(knownDevices.userId, userId));
    return { items: found.map((device) => ({ device: nameDevice(device.browser), ...device })), next: null };
  },
  favorites: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: projectFavorites.projectId,
        projectId: projectFavorites.projectId,
        project: projects.title,
        since: projectFavorites.createdAt,
      })
      .from(projectFavorites)
      .innerJoin(projects, eq(projects.id, projectFavorites.projectId))
      .where(and(eq(projectFavorites.userId, userId), gt(projectFavorites.projectId, after)))
      .orderBy(asc(projectFavorites.projectId))
      .limit(batch),
  ),
  backings: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: projectBackings.id,
          projectId: projectBackings.projectId,
          project: projects.title,
          since: projectBackings.createdAt,
          weights: sql<{ round: number; kobo: string; reason: string }[]>`(
            select coalesce(jsonb_agg(jsonb_build_object('round', w.round, 'kobo', w.weight_kobo::text, 'reason', w.reason)
              order by w.round), '[]') from backing_weights w where w.backing_id = ${projectBackings.id})`,
        })
        .from(projectBackings)
        .innerJoin(projects, eq(projects.id, projectBackings.projectId))
        .where(and(eq(projectBackings.userId, userId), gt(projectBackings.id, after)))
        .orderBy(asc(projectBackings.id))
        .limit(batch),
    (_, found) =>
      found.map(({ weights, ...backing }) => ({
        ...backing,
        weights: weights.map(({ kobo, ...weight }) => ({ ...weight, weight: naira(BigInt(kobo)) })),
      })),
  ),
  paymentReferences: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: paymentReferences.id,
          projectId: paymentReferences.projectId,
          reference: paymentReferences.reference,
          round: paymentReferences.round,
          termsVersion: paymentReferences.termsVersion,
          agreedAt: paymentReferences.agreedAt,
          lots: paymentReferences.lots,
          lotPriceKobo: paymentReferences.lotPriceKobo,
          retiredAt: paymentReferences.retiredAt,
          createdAt: paymentReferences.createdAt,
        })
        .from(paymentReferences)
        .where(and(eq(paymentReferences.userId, userId), gt(paymentReferences.id, after)))
        .orderBy(asc(paymentReferences.id))
        .limit(batch),
    (_, found) =>
      found.map(({ lotPriceKobo, ...reference }) => ({
        ...reference,
        lotPrice: naira(lotPriceKobo),
      })),
  ),
  holds: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: holds.id,
        projectId: holds.projectId,
        round: holds.round,
        lots: holds.lots,
        reference: holds.reference,
        state: holds.state,
        until: holds.until,
        endedAt: holds.endedAt,
        endReason: holds.endReason,
        createdAt: holds.createdAt,
      })
      .from(holds)
      .where(and(eq(holds.userId, userId), gt(holds.id, after)))
      .orderBy(asc(holds.id))
      .limit(batch),
  ),
  waitingList: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: waitingList.id,
        projectId: waitingList.projectId,
        round: waitingList.round,
        lots: waitingList.lots,
        joinedAt: waitingList.joinedAt,
        offeredAt: waitingList.offeredAt,
        leftAt: waitingList.leftAt,
      })
      .from(waitingList)
      .where(and(eq(waitingList.userId, userId), gt(waitingList.id, after)))
      .orderBy(asc(waitingList.id))
      .limit(batch),
  ),
  payments: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: projectPayments.id,
          id: projectPayments.id,
          projectId: projectPayments.projectId,
          project: projectPayments.projectTitle,
          round: projectPayments.round,
          lots: projectPayments.lots,
          termsVersion: projectPayments.termsVersion,
          agreedAt: projectPayments.agreedAt,
          amountKobo: projectPayments.amountKobo,
          reference: projectPayments.reference,
          status: projectPayments.status,
          rejectionReason: projectPayments.rejectionReason,
          decidedAt: projectPayments.decidedAt,
          createdAt: projectPayments.createdAt,
        })
        .from(projectPayments)
        .where(and(eq(projectPayments.userId, userId), gt(projectPayments.id, after)))
        .orderBy(asc(projectPayments.id))
        .limit(batch),
    async (ctx, found) => {
      const receipts = await receiptsOf(
        ctx,
        found.map(({ id }) => id),
      );
      return found.map(({ amountKobo, ...payment }) => ({
        ...payment,
        amount: naira(amountKobo),
        receipts: receipts.filter(({ paymentId }) => paymentId === payment.id).map(({ paymentId: _, ...file }) => file),
      }));
    },
  ),
  refunds: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: refunds.id,
          paymentId: refunds.paymentId,
          amountKobo: refunds.amountKobo,
          reason: refunds.reason,
          createdAt: refunds.createdAt,
          takenBackAt: refunds.takenBackAt,
          takenBackReason: refunds.takenBackReason,
        })
        .from(refunds)
        .where(and(eq(refunds.userId, userId), gt(refunds.id, after)))
        .orderBy(asc(refunds.id))
        .limit(batch),
    (_, found) => found.map(({ amountKobo, ...refund }) => ({ ...refund, amount: naira(amountKobo) })),
  ),
  payeeAccounts: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: payeeAccounts.id,
          bankCode: payeeAccounts.bankCode,
          bankName: payeeAccounts.bankName,
          accountNumber: payeeAccounts.accountNumber,
          accountName: payeeAccounts.accountName,
          usableFrom: payeeAccounts.usableFrom,
          since: payeeAccounts.createdAt,
          replacedAt: payeeAccounts.replacedAt,
        })
        .from(payeeAccounts)
        .where(and(eq(payeeAccounts.userId, userId), gt(payeeAccounts.id, after)))
        .orderBy(asc(payeeAccounts.id))
        .limit(batch),
    // A stolen session learns the last digits only.
    (ctx, found) =>
      isProved(ctx)
        ? found
        : found.map(({ accountNumber, ...account }) => ({
            ...account,
            accountNumber: `••• ${accountNumber.slice(-4)}`,
          })),
  ),
  payouts: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: payouts.id,
          kind: payouts.kind,
          state: payouts.state,
          paymentId: payouts.paymentId,
          projectId: payouts.projectId,
          project: payouts.projectTitle,
          round: payouts.round,
          amountKobo: payouts.amountKobo,
          part: payouts.part,
          parts: payouts.parts,
          reference: payouts.reference,
          createdAt: payouts.createdAt,
          dueAt: payouts.dueAt,
          promisedBy: payouts.promisedBy,
          sentAt: payouts.sentAt,
          paidAt: payouts.paidAt,
          failedAt: payouts.failedAt,
          cancelledAt: payouts.cancelledAt,
        })
        .from(payouts)
        .where(and(eq(payouts.userId, userId), gt(payouts.id, after)))
        .orderBy(asc(payouts.id))
        .limit(batch),
    (_, found) => found.map(({ amountKobo, ...payout }) => ({ ...payout, amount: naira(amountKobo) })),
  ),
  harvestParts: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: harvests.id,
          harvestId: harvests.id,
          project: harvests.projectTitle,
          round: harvests.round,
          harvest: harvests.number,
          state: harvests.state,
          weightKobo: harvestParts.weightKobo,
          chosenTaken: harvestParts.chosenTaken,
          chosenGiven: harvestParts.chosenGiven,
          chosenSold: harvestParts.chosenSold,
          chosenAt: harvestParts.chosenAt,
          quantity: harvestParts.quantity,
          taken: harvestParts.taken,
          given: harvestParts.given,
          sold: harvestParts.sold,
          produceKobo: harvestParts.produceKobo,
          code: harvestParts.code,
          collectedAt: harvestParts.collectedAt,
          uncollectedAt: harvestParts.uncollectedAt,
        })
        .from(harvestParts)
        .innerJoin(harvests, eq(harvests.id, harvestParts.harvestId))
        .where(and(eq(harvestParts.userId, userId), gt(harvests.id, after)))
        .orderBy(asc(harvests.id))
        .limit(batch),
    (_, found) =>
      found.map(
        ({ weightKobo, produceKobo, chosenTaken, chosenGiven, chosenSold, quantity, taken, given, sold, ...part }) => ({
          ...part,
          weight: naira(weightKobo),
          chosen: { taken: units(chosenTaken), given: units(chosenGiven), sold: units(chosenSold) },
          quantity: units(quantity),
          taken: units(taken),
          given: units(given),
          sold: units(sold),
          produceValue: produceKobo === null ? null : naira(produceKobo),
        }),
      ),
  ),
  harvestWeights: async ({ db }, userId) => {
    const found = await db.select().from(roundWeights).where(eq(roundWeights.userId, userId));
    const items = found.map(({ projectId, round, weightKobo }) => ({ projectId, round, weight: naira(weightKobo) }));
    return { items, next: null };
  },
  settlements: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: settlements.id,
          id: settlements.id,
          harvestId: settlements.harvestId,
          settlement: settlements.number,
          pool: settlements.pool,
          at: settlements.createdAt,
          reversedAt: settlements.reversedAt,
          weight: settlementParts.weight,
          shareKobo: settlementParts.shareKobo,
          feeKobo: settlementParts.feeKobo,
          vatKobo: settlementParts.vatKobo,
          whtKobo: settlementParts.whtKobo,
          netKobo: settlementParts.netKobo,
        })
        .from(settlementParts)
        .innerJoin(settlements, eq(settlements.id, settlementParts.settlementId))
        .where(and(eq(settlementParts.userId, userId), gt(settlements.id, after)))
        .orderBy(asc(settlements.id))
        .limit(batch),
    (_, found) =>
      found.map(({ weight, shareKobo, feeKobo, vatKobo, whtKobo, netKobo, ...settlement }) => ({
        ...settlement,
        /** Thousandths of the unit; of an insurer's sum kobo. */
        weight: String(weight),
        share: naira(shareKobo),
        fee: naira(feeKobo),
        vat: naira(vatKobo),
        wht: naira(whtKobo),
        net: naira(netKobo),
      })),
  ),
  papers: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: papers.id,
          kind: papers.kind,
          year: papers.year,
          sequence: papers.sequence,
          code: papers.code,
          firstDay: papers.firstDay,
          lastDay: papers.lastDay,
          amountKobo: papers.amountKobo,
          content: papers.content,
          createdAt: papers.createdAt,
          replacedAt: papers.replacedAt,
        })
        .from(papers)
        .where(and(eq(papers.userId, userId), gt(papers.id, after)))
        .orderBy(asc(papers.id))
        .limit(batch),
    (_, found) =>
      found.map(({ year, sequence, amountKobo, ...paper }) => ({
        number: paperNumber(paper.kind, year, sequence),
        ...paper,
        amount: naira(amountKobo),
      })),
  ),
  messages: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: projectMessages.id,
        projectId: projectMessages.projectId,
        project: projects.title,
        content: projectMessages.content,
        createdAt: projectMessages.createdAt,
      })
      .from(projectMessages)
      .innerJoin(projects, eq(projects.id, projectMessages.projectId))
      .where(and(eq(projectMessages.userId, userId), gt(projectMessages.id, after)))
      .orderBy(asc(projectMessages.id))
      .limit(batch),
  ),
  notifications: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: notifications.id,
        kind: notifications.kind,
        title: notifications.title,
        content: notifications.content,
        projectId: notifications.projectId,
        isRead: notifications.isRead,
        emailSent: notifications.emailSent,
        createdAt: notifications.createdAt,
      })
      .from(notifications)
      .where(and(eq(notifications.userId, userId), gt(notifications.id, after)))
      .orderBy(asc(notifications.id))
      .limit(batch),
  ),
  // Without their text: notifications' texts are above, and links in mails still work.
  mails: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: outgoingMails.id,
        to: outgoingMails.recipient,
        subject: outgoingMails.subject,
        writtenAt: outgoingMails.createdAt,
        sentAt: outgoingMails.sentAt,
      })
      .from(outgoingMails)
      .where(and(isTo(outgoingMails.recipient, userId), gt(outgoingMails.id, after)))
      .orderBy(asc(outgoingMails.id))
      .limit(batch),
  ),
  contactMessages: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: contactMessages.id,
        name: contactMessages.name,
        email: contactMessages.email,
        phone: contactMessages.phone,
        message: contactMessages.message,
        createdAt: contactMessages.createdAt,
      })
      .from(contactMessages)
      .where(and(isFrom(contactMessages.email, userId), gt(contactMessages.id, after)))
      .orderBy(asc(contactMessages.id))
      .limit(batch),
  ),
  jobApplications: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: jobApplications.id,
        fullName: jobApplications.fullName,
        email: jobApplications.email,
        phone: jobApplications.phone,
        position: jobApplications.position,
        coverLetter: jobApplications.coverLetter,
        resume: storedFiles.originalName,
        createdAt: jobApplications.createdAt,
      })
      .from(jobApplications)
      .leftJoin(storedFiles, eq(storedFiles.id, jobApplications.resumeFileId))
      .where(and(isFrom(jobApplications.email, userId), gt(jobApplications.id, after)))
      .orderBy(asc(jobApplications.id))
      .limit(batch),
  ),
  invitations: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: adminInvites.id,
        email: adminInvites.email,
        fullName: adminInvites.fullName,
        role: adminInvites.role,
        createdAt: adminInvites.createdAt,
        expiresAt: adminInvites.expiresAt,
        acceptedAt: adminInvites.consumedAt,
      })
      .from(adminInvites)
      .where(and(isFrom(adminInvites.email, userId), gt(adminInvites.id, after)))
      .orderBy(asc(adminInvites.id))
      .limit(batch),
  ),
};

/** Mails to an address count as the person's only if it is verified, because others may have used it before. */
const isTo = (address: PgColumn, userId: string): SQL =>
  sql`${address} = (select ${users.email} from ${users} where ${users.id} = ${userId} and ${users.emailVerifiedAt} is not null)`;

/**
 * Messages sent without an account count as the person's only if the address is verified, because anybody may type it.
 */
const isFrom = (address: PgColumn, userId: string): SQL =>
  sql`lower(${address}) = (select ${users.email} from ${users} where ${users.id} = ${userId} and ${users.emailVerifiedAt} is not null)`;

async function receiptsOf({ db, actor }: ActorContext, paymentIds: number[]) {
  if (paymentIds.length === 0) return [];
  return db
    .select({
      paymentId: paymentReceipts.paymentId,
      fileName: storedFiles.originalName,
      bytes: storedFiles.bytes,
      sha256: paymentReceipts.sha256,
      sentAt: paymentReceipts.createdAt,
    })
    .from(paymentReceipts)
    .innerJoin(storedFiles, eq(storedFiles.id, paymentReceipts.fileId))
    .where(and(inArray(paymentReceipts.paymentId, paymentIds), eq(paymentReceipts.userId, actor.id)))
    .orderBy(asc(paymentReceipts.createdAt), asc(paymentReceipts.id));
}
