import { and, eq, ne, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { waitingList } from "#server/db/schema/holds.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { backingWeights, projectBackings, projects } from "#server/db/schema/projects.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { userRoles } from "#server/db/schema/users.ts";
import { makeRefundNotes } from "#server/features/papers/service.ts";
import { assumeArrived } from "#server/features/payments/review/round-decision.ts";
import { reverseApproval } from "#server/features/payments/review/service.ts";
import { makeRefundDue } from "#server/features/payments/unallocated/service.ts";
import { decideRound, findRound } from "#server/features/projects/rounds/service.ts";
import { formatNaira, nairaToKobo } from "#shared/money.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import type { Person } from "./seed-office.ts";
import { insertDemoHold, insertDemoReference } from "./seed-payments.ts";

/** What of the demo isn't paid: held lots, people who wait for some, a round that was given back, and granted backings. */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const round = 1;

type Farm = { projectId: number; title: string };

type NewHold = { farm: Farm; user: Person; lots: number; hoursAgo: number; now: Date };

/** Lots held for a day, without a receipt yet. */
export async function holdDemoLots(tx: Tx, { farm, user, lots, hoursAgo, now }: NewHold): Promise<void> {
  const createdAt = new Date(now.getTime() - hourMs * hoursAgo);
  const until = new Date(createdAt.getTime() + dayMs);
  const { projectId } = farm;
  const reference = await insertDemoReference(tx, { projectId, userId: user.id, lots, at: createdAt });
  await insertDemoHold(tx, { projectId, userId: user.id, lots, reference, until, createdAt });
}

/** People who wait for lots, first come, first served. */
export async function insertDemoQueue(
  tx: Tx,
  { farm, people, now }: { farm: Farm; people: Person[]; now: Date },
): Promise<void> {
  const entries = people.map(({ id: userId }, index) => ({
    projectId: farm.projectId,
    round,
    userId,
    lots: index === 1 ? 2 : 1,
    joinedAt: new Date(now.getTime() - hourMs * (people.length - index)),
  }));
  await tx.insert(waitingList).values(entries);
}

/** Gives a round that missed its minimum back: each approval is reversed, each amount is due to its backer. */
export async function giveDemoRoundBack(
  tx: Tx,
  { farm, owner, at }: { farm: Farm; owner: Person; at: Date },
): Promise<void> {
  const { projectId, title } = farm;
  const payments = await tx
    .select()
    .from(projectPayments)
    .where(eq(projectPayments.projectId, projectId))
    .orderBy(projectPayments.id);
  const { approvedLots, minimumLots } = await findRound(tx, { projectId, round });
  const refundIds: number[] = [];
  for (const payment of payments) {
    const { id, userId, amountKobo, lots } = payment;
    const decision = { status: "rejected" as const, rejectionReason: paymentTexts.roundNotFunded };
    await tx
      .update(projectPayments)
      .set({ ...decision, decidedBy: owner.id, decidedAt: at, updatedAt: at })
      .where(eq(projectPayments.id, id));
    const sold = await findRound(tx, { projectId, round });
    await reverseApproval(tx, { payment, round: sold, actorId: owner.id, at });
    await assumeArrived(tx, { payment, actorId: owner.id, at });
    const refund = await makeRefundDue(tx, { payment, amountKobo, reason: "not_funded", actorId: owner.id, at });
    refundIds.push(refund.id);
    const auditId = await audit(tx, owner, at, "update_payment_status", {
      paymentId: id,
      projectId,
      projectTitle: title,
      before: "approved",
      after: "rejected",
      lots,
      amountKobo: amountKobo.toString(),
      reason: paymentTexts.roundNotFunded,
    });
    await tx.insert(notifications).values({
      userId,
      kind: "payment_status",
      title: "Your money is returned",
      content: `${formatNaira(amountKobo)} for "${title}" is due to you.`,
      projectId,
      eventKey: `payment:${id}:rejected:${auditId}`,
      emailSent: true,
      createdAt: at,
    });
  }
  await decideRound(tx, { projectId, round }, { outcome: "not_funded", decidedBy: owner.id, at });
  await audit(tx, owner, at, "decide_round", {
    projectId,
    title,
    round,
    outcome: "not_funded",
    approvedLots,
    minimumLots,
    refundedPaymentIds: payments.map(({ id }) => id),
  });
  await makeRefundNotes(tx, refundIds, at);
}

type Grant = { farm: Farm; user: Person; owner: Person; at: Date; weight?: { naira: number; reason: string } };

/** A backing without a lot, as an administrator grants it; with a weight, that two owners agreed on, it has a part in the harvest. */
export async function grantDemoBacking(tx: Tx, { farm, user, owner, at, weight }: Grant): Promise<void> {
  const { projectId, title } = farm;
  const granted = { projectId, userId: user.id, grantedAt: at, grantedBy: owner.id, createdAt: at };
  const [backing] = await tx.insert(projectBackings).values(granted).returning({ id: projectBackings.id });
  const [counted] = await tx
    .update(projects)
    .set({ backersCount: sql`${projects.backersCount} + 1` })
    .where(eq(projects.id, projectId))
    .returning({ round: projects.round });
  await audit(tx, owner, at, "add_backer", { projectId, title, userId: user.id, email: user.email });
  if (!weight || !backing || !counted) return;
  const weightKobo = nairaToKobo(weight.naira);
  const { reason } = weight;
  const isOther = and(eq(userRoles.role, "owner"), ne(userRoles.userId, owner.id));
  const [other] = await tx.select({ id: userRoles.userId }).from(userRoles).where(isOther);
  const part = { weightKobo: String(weightKobo), seenKobo: "0" };
  await tx.insert(secondPersonRequests).values({
    kind: "set_weight",
    subject: `${projectId}/${user.id}/${counted.round}`,
    reason,
    details: { projectId, userId: user.id, ...counted, ...part },
    requestedBy: owner.id,
    requestedAt: at,
    decision: "confirmed",
    decidedBy: other?.id ?? owner.id,
    decidedAt: at,
    isAlone: other === undefined,
  });
  await tx.insert(backingWeights).values({ backingId: backing.id, ...counted, weightKobo, reason });
  const change = { before: null, after: String(weightKobo) };
  await audit(tx, owner, at, "set_backing_weight", {
    projectId,
    title,
    userId: user.id,
    ...counted,
    reason,
    ...change,
  });
}

async function audit(
  tx: Tx,
  { id: userId, email: userEmail }: Person,
  createdAt: Date,
  actionType: string,
  details: Record<string, unknown>,
): Promise<number | undefined> {
  const entry = { actionType, userId, userEmail, details, ipAddress: "127.0.0.1", createdAt };
  const [made] = await tx.insert(auditLogs).values(entry).returning({ id: auditLogs.id });
  return made?.id;
}
