import { and, asc, eq, lte } from "drizzle-orm";
import type { z } from "zod";
import type { Confirmed } from "#server/accounts/owners/second-person-kind.ts";
import { areTwoOwners } from "#server/accounts/owners/who-may-confirm.ts";
import { listActiveOwners } from "#server/accounts/users.ts";
import { type PassedOn, postHolderChange } from "#server/books/events/holders.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { holderChangePayments, holderChanges } from "#server/db/schema/holder-changes.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { settlements } from "#server/db/schema/settlements.ts";
import { users } from "#server/db/schema/users.ts";
import { findPartOf, notifyOfProduce, passParts, readWaiting } from "#server/features/harvests/holders/service.ts";
import { lockHarvestsOf } from "#server/features/harvests/strikes/service.ts";
import { type NoticeText, type NotifyDeps, notify } from "#server/features/notifications/service.ts";
import { keepEvidenceOf } from "#server/features/payments/evidence/service.ts";
import { lockPayment } from "#server/features/payments/service.ts";
import { lockPayees } from "#server/features/payouts/payees/service.ts";
import { lockHeldPayouts, type Payout, passPayouts } from "#server/features/payouts/service.ts";
import { passBacking } from "#server/features/projects/backings/service.ts";
import { lockProjectIfThere, lockRound } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError, refusalOf } from "#server/platform/errors.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { changeHolderDetails, holderChangeInput, stopHolderChangeInput } from "#shared/payments/holder-changes.ts";
import { holderChangeLimits as limits, holderChangeTexts as texts } from "#shared/payments/holder-changes-texts.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import { begunNotice, type ChangeFacts, carriedOutNotice, endedNotice, ownersNotice } from "./emails.ts";
import {
  type HolderChange,
  isOfHolder,
  isRunning,
  readHeld,
  requireCouldObject,
  requireHeldPayment,
  requireNewHolder,
  requireNoneRunning,
} from "./queries.ts";

/**
 * A change of holder: a person's part in a round passes to another, because they died, gave it to family, or a court
 * ordered it. Two owners decide it on papers that prove it. It is carried out 14 days later, unless one of the two
 * people objects or an owner stops it. Nothing is sold by it.
 *
 * Locks: project, round, the round's harvests, the payments, the change, payouts, payee accounts.
 */

export type Change = z.output<typeof changeHolderDetails>;

/**
 * Locks what a change is asked about. Throws what {@link requireHeldPayment} and {@link requireNewHolder} do, and
 * "forbidden" for one's own.
 */
export async function requireChange(tx: Tx, ctx: ActorContext, change: Change) {
  await refuseOwn(tx, ctx, change, ctx.actor.id);
  await lockPayment(tx, change.paymentId);
  const payment = await requireHeldPayment(tx, change);
  const person = await requireNewHolder(tx, payment, change.toUserId);
  await requireNoneRunning(tx, payment);
  await keepEvidenceOf(tx, ctx, change);
  return { payment, person };
}

/** Throws "forbidden" if the change is about the person's own lots, lost or gained, while there is another owner. */
async function refuseOwn(tx: Tx, { clock }: ActorContext, { fromUserId, toUserId }: Change, userId: string) {
  if (userId !== fromUserId && userId !== toUserId) return;
  if (await areTwoOwners(tx, clock.now())) throw new AppError("forbidden", secondPersonTexts.ownMoney);
}

/** Begins the 14 days, as two owners say, and tells both people. */
export async function beginChange(
  tx: Tx,
  ctx: ActorContext,
  { details, requestId, reason }: Confirmed<Change>,
): Promise<void> {
  // Nobody closes or blocks an account that it is about before the commit.
  await lockPayees(tx, [details.fromUserId, details.toUserId], "share");
  const { payment } = await requireChange(tx, ctx, details);
  const isAsked = eq(secondPersonRequests.id, requestId);
  const [request] = await tx.select({ by: secondPersonRequests.requestedBy }).from(secondPersonRequests).where(isAsked);
  if (request) await refuseOwn(tx, ctx, details, request.by);
  const { paymentId, fromUserId, toUserId, cause, fileIds } = details;
  const { projectId, projectTitle, round } = payment;
  const at = ctx.clock.now();
  const until = new Date(at.getTime() + limits.days * dayMs);
  const { amountKobo } = await readHeld(tx, payment);
  const about = { paymentId, projectId, projectTitle, round, fromUserId, toUserId, cause, reason, requestId };
  const [change] = await tx
    .insert(holderChanges)
    .values({ ...about, madeBy: ctx.actor.id, createdAt: at, until })
    .returning();
  if (!change) throw new Error("the change of holder was not written");
  await recordAudit(tx, ctx, "begin_holder_change", {
    ...auditFacts(change),
    cause,
    requestId,
    reason,
    papers: fileIds.length,
  });
  const facts = await factsOf(tx, ctx, change);
  await notifyBoth(tx, ctx, change, "begun", (side) => begunNotice(facts, { side, cause, reason, until, amountKobo }));
}

/**
 * Stops a change, because one of its two people objects. Throws "not_found", or "conflict" if it has ended or its days
 * are over.
 */
export async function objectToChange(
  ctx: ActorContext,
  { changeId }: z.output<typeof holderChangeInput>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const change = await lockRunning(tx, changeId);
    const { id } = ctx.actor;
    if (id !== change.fromUserId && id !== change.toUserId) throw new AppError("not_found", texts.notYours);
    if (change.until <= ctx.clock.now()) throw new AppError("conflict", texts.overAlready);
    await end(tx, ctx, change, { outcome: "objected", endedBy: id });
    const by = id === change.fromUserId ? "old" : "new";
    await recordAudit(tx, { ...ctx, actor: null, ipAddress: null }, "object_to_holder_change", {
      ...auditFacts(change),
      by,
    });
    const why = `The ${by} holder objected.`;
    await notifyEnd(tx, ctx, change, { title: "A change of holder was objected to", why });
  });
}

/** Stops a change, as an owner says with a reason. Throws as {@link objectToChange}. */
export async function stopChange(
  ctx: ActorContext,
  { changeId, reason }: z.output<typeof stopHolderChangeInput>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const change = await lockRunning(tx, changeId);
    await end(tx, ctx, change, { outcome: "stopped", endedBy: ctx.actor.id, endReason: reason });
    await recordAudit(tx, ctx, "stop_holder_change", { ...auditFacts(change), reason });
    await notifyEnd(tx, ctx, change, {
      title: "A change of holder was stopped",
      why: `An owner stopped it. Reason: ${reason}`,
    });
  });
}

async function lockRunning(tx: Tx, changeId: number): Promise<HolderChange> {
  const [change] = await tx.select().from(holderChanges).where(eq(holderChanges.id, changeId)).for("update");
  if (!change) throw new AppError("not_found", texts.gone);
  if (change.outcome !== null) throw new AppError("conflict", texts.endedAlready);
  return change;
}

type End = Partial<Pick<HolderChange, "endedBy" | "endReason" | "backingId">> & Required<Pick<HolderChange, "outcome">>;

async function end(tx: Tx, { clock }: Pick<Deps, "clock">, { id }: HolderChange, ended: End): Promise<void> {
  await tx
    .update(holderChanges)
    .set({ ...ended, endedAt: clock.now() })
    .where(eq(holderChanges.id, id));
}

/** The changes whose days are over. */
export async function listToCarryOut({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number[]> {
  const isOver = and(isRunning, lte(holderChanges.until, clock.now()));
  const found = await db
    .select({ id: holderChanges.id })
    .from(holderChanges)
    .where(isOver)
    .orderBy(asc(holderChanges.id));
  return found.map(({ id }) => id);
}

/**
 * Carries a change out whose days are over, or ends it where it can't be done any more. Does nothing before, or after
 * its end.
 */
export async function carryOut(deps: NotifyDeps & Pick<Deps, "db">, changeId: number): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const isIt = eq(holderChanges.id, changeId);
    const [found] = await tx.select().from(holderChanges).where(isIt);
    if (!found) throw new AppError("not_found", texts.gone);
    const { projectId, round } = found;
    const project = await lockProjectIfThere(tx, projectId, "no key update");
    if (project) await lockRound(tx, found);
    await lockHarvestsOf(tx, { projectId, round });
    const payments = await tx
      .select({ id: projectPayments.id })
      .from(projectPayments)
      .where(isOfHolder(found))
      .orderBy(asc(projectPayments.id))
      .for("update");
    const [change] = await tx.select().from(holderChanges).where(isIt).for("update");
    if (!change || change.outcome !== null || change.until > deps.clock.now()) return;
    // Nobody blocks or closes the new holder's account before the commit.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, change.toUserId)).for("share");
    const refusal = await findRefusal(tx, change);
    if (refusal !== null) {
      await end(tx, deps, change, { outcome: "failed", endReason: refusal });
      await recordAudit(tx, bySystem(deps), "fail_holder_change", { ...auditFacts(change), reason: refusal });
      return notifyEnd(tx, deps, change, { title: "A change of holder wasn't carried out", why: refusal });
    }
    await pass(
      tx,
      deps,
      change,
      payments.map(({ id }) => id),
    );
  });
}

const bySystem = ({ clock }: Pick<Deps, "clock">) => ({ clock, actor: null, ipAddress: null });

async function findRefusal(tx: Tx, change: HolderChange): Promise<string | null> {
  try {
    await requireNewHolder(tx, await requireHeldPayment(tx, change), change.toUserId);
    await requireCouldObject(tx, change);
    return null;
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return refusal.message;
  }
}

async function pass(tx: Tx, deps: NotifyDeps, change: HolderChange, paymentIds: number[]): Promise<void> {
  const { id, projectId, round, fromUserId, toUserId } = change;
  const at = deps.clock.now();
  const key = { projectId, round };
  const part = await findPartOf(tx, key, fromUserId);
  await end(tx, deps, change, { outcome: "carried_out", backingId: part?.backingId ?? null });
  for (const paymentId of paymentIds) {
    await tx.insert(holderChangePayments).values({ changeId: id, paymentId });
    await tx.update(projectPayments).set({ userId: toUserId, updatedAt: at }).where(eq(projectPayments.id, paymentId));
  }
  await passBacking(tx, { ...key, fromUserId, toUserId, at });
  const { produce, made } = await passParts(tx, { ...key, fromUserId, toUserId });
  const due = await lockHeldPayouts(tx, { ...key, paymentIds, fromUserId });
  const { isAccountKnown } = await passPayouts(tx, due, { toUserId, at });
  await postHolderChange(tx, { change, passedOn: [...(await sumDue(tx, due)), ...produce], at });
  const dueKobo = due.reduce((sum, { amountKobo }) => sum + amountKobo, 0n);
  await recordAudit(tx, bySystem(deps), "carry_out_holder_change", {
    ...auditFacts(change),
    payments: paymentIds,
    dueKobo: dueKobo.toString(),
  });
  const facts = await factsOf(tx, deps, change);
  const { isChoosing } = await readWaiting(tx, key, toUserId);
  await notifyBoth(tx, deps, change, "carried_out", (side) =>
    carriedOutNotice(facts, { side, dueKobo, isAccountKnown, isChoosing }),
  );
  await notifyOfProduce(tx, deps, made);
  await notifyAllOwners(
    tx,
    deps,
    change,
    ownersNotice(facts, { title: "A change of holder was carried out", why: "Nobody objected." }),
  );
}

/** Adds up what is due by payouts: one sum for each payment and each harvest, as in the ledger. */
async function sumDue(tx: Tx, due: readonly Payout[]): Promise<PassedOn[]> {
  const sums = new Map<string, PassedOn>();
  for (const { paymentId, settlementId, amountKobo } of due) {
    const of = paymentId === null ? { harvestId: await harvestOf(tx, settlementId) } : { paymentId };
    const key = JSON.stringify(of);
    const before = sums.get(key)?.amountKobo ?? 0n;
    sums.set(key, { account: "backer_due", ...of, amountKobo: before + amountKobo });
  }
  return [...sums.values()];
}

async function harvestOf(tx: Tx, settlementId: number | null): Promise<number> {
  const isIt = eq(settlements.id, settlementId ?? 0);
  const [found] = await tx.select({ harvestId: settlements.harvestId }).from(settlements).where(isIt);
  if (!found) throw new Error("a payout of no settlement");
  return found.harvestId;
}

const auditFacts = ({ id, paymentId, projectId, projectTitle, round, fromUserId, toUserId }: HolderChange) => ({
  changeId: id,
  paymentId,
  projectId,
  title: projectTitle,
  round,
  fromUserId,
  userId: toUserId,
});

async function factsOf(tx: Tx, { site }: Pick<Deps, "site">, change: HolderChange): Promise<ChangeFacts> {
  const { projectTitle, round, fromUserId, toUserId } = change;
  const nameOf = async (id: string) => {
    const [person] = await tx.select({ name: users.fullName }).from(users).where(eq(users.id, id));
    return person?.name ?? "";
  };
  const [fromName, toName] = [await nameOf(fromUserId), await nameOf(toUserId)];
  return { site: site.current(), projectTitle, round, fromName, toName };
}

async function projectOf(tx: Tx, { projectId }: HolderChange): Promise<number | null> {
  return (await tx.$count(projects, eq(projects.id, projectId))) > 0 ? projectId : null;
}

async function notifyBoth(
  tx: Tx,
  deps: NotifyDeps,
  change: HolderChange,
  event: string,
  noticeOf: (side: "from" | "to") => NoticeText,
): Promise<void> {
  const projectId = await projectOf(tx, change);
  for (const side of ["from", "to"] as const) {
    const userId = side === "from" ? change.fromUserId : change.toUserId;
    const aboutUserId = side === "from" ? change.toUserId : change.fromUserId;
    await notify(tx, deps, {
      ...noticeOf(side),
      userIds: [userId],
      aboutUserId,
      kind: "payment_status",
      projectId,
      eventKey: `holder_change:${change.id}:${event}`,
    });
  }
}

async function notifyAllOwners(tx: Tx, deps: NotifyDeps, change: HolderChange, notice: NoticeText): Promise<void> {
  await notify(tx, deps, {
    ...notice,
    userIds: (await listActiveOwners(tx)).map(({ id }) => id),
    aboutUserId: change.fromUserId,
    kind: "second_person",
    projectId: await projectOf(tx, change),
    eventKey: `holder_change:${change.id}:owners:ended`,
  });
}

/** Tells both people and all owners that nothing changes. */
async function notifyEnd(
  tx: Tx,
  deps: NotifyDeps,
  change: HolderChange,
  { title, why }: { title: string; why: string },
): Promise<void> {
  const facts = await factsOf(tx, deps, change);
  await notifyBoth(tx, deps, change, "ended", (side) => endedNotice(facts, { side, why }));
  await notifyAllOwners(tx, deps, change, ownersNotice(facts, { title, why }));
}
