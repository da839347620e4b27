import { and, eq, inArray, not, sql } from "drizzle-orm";
import { postReturn } from "#server/books/events/returns.ts";
import type { Tx } from "#server/db/open.ts";
import { payouts, roundReturns } from "#server/db/schema/payouts.ts";
import { projects } from "#server/db/schema/projects.ts";
import { type NoticeText, type NotifyDeps, notifyEach } from "#server/features/notifications/service.ts";
import { cancelPayouts, isWithheld, makePayouts } from "#server/features/payouts/service.ts";
import { lockProjectIfThere } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { roundReturnTexts as texts } from "#shared/payouts/returns-texts.ts";
import { type OwnPart, returnedNotice, returnTakenBackNotice } from "./emails.ts";
import { type Asked, divideReturn } from "./queries.ts";

/**
 * Money of a round goes back to its backers: its farm never got it, or paid it back. Two owners say so. It is divided
 * by largest remainder over what each approved payment of the round brought. The order of locks is project, return,
 * payouts.
 */

type Confirmed = { requestId: number; reason: string };

/** Locks the project, and gives what a return pays. Throws what {@link divideReturn} does. */
export async function lockReturn(tx: Tx, asked: Asked) {
  const isIt = tx.select({ id: projects.id }).from(projects).where(eq(projects.id, asked.projectId));
  await lockProjectIfThere(tx, isIt, "no key update");
  return divideReturn(tx, asked);
}

/** Owes the backers of a round what was agreed, makes the payouts of it and tells each. */
export async function returnToBackers(
  tx: Tx,
  ctx: ActorContext,
  { requestId, reason, ...asked }: Asked & Confirmed,
): Promise<void> {
  const { projectTitle, parts } = await lockReturn(tx, asked);
  const { projectId, round } = asked;
  const at = ctx.clock.now();
  const [returned] = await tx
    .insert(roundReturns)
    .values({ ...asked, projectTitle, reason, requestId, madeBy: ctx.actor.id, createdAt: at })
    .returning();
  if (!returned) throw new Error("the return was not written");
  const about = { kind: "returned" as const, returnId: returned.id, projectId, projectTitle, round, at };
  await makePayouts(
    tx,
    parts.map((part) => ({ ...about, ...part })),
  );
  await postReturn(tx, "round_return", { returned, actorId: ctx.actor.id, at });
  await recordAudit(tx, ctx, "return_to_backers", { ...factsOf(returned), backers: parts.length, requestId, reason });
  await notifyBackers(tx, ctx, { returned, event: "due", noticeOf: returnedNotice, reason });
}

/** Locks a return that stands. Throws "not_found", or "conflict" if it was taken back already. */
export async function lockStandingReturn(tx: Tx, returnId: number): Promise<Returned> {
  const isIt = eq(roundReturns.id, returnId);
  const ofReturn = tx.select({ id: roundReturns.projectId }).from(roundReturns).where(isIt);
  await lockProjectIfThere(tx, ofReturn, "no key update");
  const [returned] = await tx.select().from(roundReturns).where(isIt).for("update");
  if (!returned) throw new AppError("not_found", texts.gone);
  if (returned.takenBackAt !== null) throw new AppError("conflict", texts.takenBackAlready);
  return returned;
}

type Returned = typeof roundReturns.$inferSelect;

/** Takes a return back while nothing of it is in a run or was sent: the round has its money again. */
export async function takeReturnBack(
  tx: Tx,
  ctx: ActorContext,
  { returnId, requestId, reason }: Confirmed & { returnId: number },
): Promise<void> {
  const returned = await lockStandingReturn(tx, returnId);
  const at = ctx.clock.now();
  await cancelPayouts(tx, { returnId, at });
  const takenBack = { takenBackAt: at, takenBackBy: ctx.actor.id, takenBackReason: reason };
  await tx.update(roundReturns).set(takenBack).where(eq(roundReturns.id, returnId));
  await postReturn(tx, "round_return_taken_back", { returned, actorId: ctx.actor.id, at });
  await recordAudit(tx, ctx, "take_return_back", { ...factsOf(returned), requestId, reason });
  await notifyBackers(tx, ctx, { returned, event: "taken_back", noticeOf: returnTakenBackNotice, reason });
}

/**
 * Withholds what returns still owe for a payment that was struck, because others were paid already. The caller has
 * locked it.
 */
export async function withholdReturned(
  tx: Tx,
  { paymentId, reason, actorId, at }: { paymentId: number; reason: string; actorId: string; at: Date },
): Promise<void> {
  const isOwed = and(eq(payouts.paymentId, paymentId), inArray(payouts.state, ["waiting", "due"]));
  await tx
    .update(payouts)
    .set({ withheldAt: at, withheldBy: actorId, withheldReason: reason, letGoRequestId: null })
    .where(and(eq(payouts.kind, "returned"), isOwed, not(isWithheld)));
}

const factsOf = ({ id, projectId, projectTitle, round, amountKobo }: Returned) => ({
  returnId: id,
  projectId,
  title: projectTitle,
  round,
  amountKobo: amountKobo.toString(),
});

type Telling = {
  returned: Returned;
  event: "due" | "taken_back";
  noticeOf: (part: OwnPart) => NoticeText;
  reason: string;
};

/** Tells each backer their own sum. */
async function notifyBackers(tx: Tx, deps: NotifyDeps, { returned, event, noticeOf, reason }: Telling): Promise<void> {
  const chosen = event === "due" ? sql`${payouts.replacesId} is null` : eq(payouts.cancelledAt, deps.clock.now());
  const owed = await tx
    .select({ userId: payouts.userId, kobo: sql`sum(${payouts.amountKobo})::bigint`.mapWith(payouts.amountKobo) })
    .from(payouts)
    .where(sql`${payouts.returnId} = ${returned.id} and ${chosen}`)
    .groupBy(payouts.userId)
    .orderBy(payouts.userId);
  const there = await tx.$count(projects, eq(projects.id, returned.projectId));
  const projectId = there > 0 ? returned.projectId : null;
  const site = deps.site.current();
  const notices = owed.flatMap(({ userId, kobo }) => {
    if (userId === null) return [];
    const notice = noticeOf({ site, projectTitle: returned.projectTitle, amountKobo: kobo, reason });
    return { ...notice, userId, projectId, eventKey: `return:${returned.id}:${event}` };
  });
  await notifyEach(tx, deps, "payment_status", notices);
}
