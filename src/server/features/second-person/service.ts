import { and, eq, inArray, isNull, lte } from "drizzle-orm";
import type { z } from "zod";
import { actAsSecondOwner, lockOwners } from "#server/accounts/owners/second-owner.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { notify, notifyOwners } from "#server/features/notifications/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { requireProof } from "#server/platform/procedures.ts";
import type {
  askSecondPersonInput,
  confirmRequestInput,
  secondPersonRequestInput,
} from "#shared/second-person/inputs.ts";
import { secondPersonTexts as texts } from "#shared/second-person/texts.ts";
import { askedNotice, decidedNotice, doneNotice } from "./emails.ts";
import { kinds } from "./kinds.ts";
import { findConcern, refuseEnded } from "./queries.ts";
import { type Decision, endedDetails, expiredSince, isOpen, lapse, loggedDetails, type Request } from "./requests.ts";

/**
 * Acts that take two owners: one asks, another confirms, and only then it happens. An only owner confirms with the
 * second factor. Locks: its subject (a project, a round), owners, request.
 */

type ById = z.output<typeof secondPersonRequestInput>;

/**
 * Asks the other owners to confirm something. Throws what its kind refuses, and "conflict" if it was asked for already.
 */
export async function askSecondPerson(ctx: ActorContext, input: z.output<typeof askSecondPersonInput>): Promise<void> {
  const { kind, details, reason } = input;
  if (kinds[kind].needsProof) requireProof(ctx);
  const subject = kinds[kind].subjectOf(details);
  try {
    await inTransaction(ctx.db, async (tx) => {
      await kinds[kind].require(tx, ctx, details);
      const owners = await lockOwners(tx, ctx, "share");
      const now = ctx.clock.now();
      const isOfSubject = and(eq(secondPersonRequests.kind, kind), eq(secondPersonRequests.subject, subject));
      const earlier = await tx
        .select()
        .from(secondPersonRequests)
        .where(and(isOfSubject, isNull(secondPersonRequests.decision)))
        .for("update");
      if (earlier.some((request) => isOpen(request, { owners, now }))) throw alreadyAsked();
      // By their ids: another may have been asked for meanwhile, which the unique index then finds.
      const ids = earlier.map(({ id }) => id);
      await lapse(tx, inArray(secondPersonRequests.id, ids), now);
      const [request] = await tx
        .insert(secondPersonRequests)
        .values({ kind, subject, details, reason, requestedBy: ctx.actor.id, requestedAt: now })
        .returning();
      if (!request) throw new Error("the request was not written");
      await recordAudit(tx, ctx, "ask_second_person", {
        requestId: request.id,
        kind,
        ...loggedDetails(details),
        reason,
      });
      await notifyOthers(tx, ctx, request);
    });
  } catch (error) {
    if (!isUniqueViolation(error, "second_person_requests_one_open")) throw error;
    throw alreadyAsked(error);
  }
}

const alreadyAsked = (cause?: unknown) => new AppError("conflict", texts.alreadyAsked, { cause });

/**
 * Confirms another owner's request, or as the only owner one's own with the proof of the account and a code, and does
 * what was asked for. Throws "conflict" if the request is not open any more, and what its kind refuses.
 */
export async function confirmRequest(ctx: ActorContext, input: z.output<typeof confirmRequestInput>): Promise<void> {
  const { requestId, ...proof } = input;
  const [asked] = await ctx.db.select().from(secondPersonRequests).where(eq(secondPersonRequests.id, requestId));
  if (!asked) throw new AppError("not_found", texts.gone);
  if (asked.decision !== null) throw await refuseEnded(ctx.db, asked);
  // Whoever is alone gives the proof with the confirmation.
  if (kinds[asked.kind].needsProof && asked.requestedBy !== ctx.actor.id) requireProof(ctx);
  await actAsSecondOwner(ctx, {
    madeBy: asked.requestedBy,
    proof,
    lockSubject: (tx) => kinds[asked.kind].require(tx, ctx, asked.details),
    act: (tx, { owners }) => confirm(tx, ctx, requestId, owners),
  });
}

/** Confirms a request. Whoever gets here with their own request is the only owner, and has proved it with a code. */
async function confirm(tx: Tx, ctx: ActorContext, requestId: number, owners: string[]): Promise<void> {
  const request = await lockOpenRequest(tx, ctx, requestId, owners);
  const { kind, details, reason } = request;
  const refusal = await findConcern(tx, ctx, request);
  if (refusal !== null) throw new AppError("forbidden", refusal);
  await decide(tx, ctx, request, "confirmed");
  await kinds[kind].act(tx, ctx, { details, requestId, reason });
}

/** Declines another owner's request. Throws "forbidden" for one's own, and "conflict" if it is not open any more. */
export async function declineRequest(ctx: ActorContext, { requestId }: ById): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const request = await lockOpenRequest(tx, ctx, requestId, await lockOwners(tx, ctx, "share"));
    if (request.requestedBy === ctx.actor.id) throw new AppError("forbidden", texts.notOwn);
    await decide(tx, ctx, request, "declined");
  });
}

/** Withdraws one's own request. Throws "forbidden" for another's, and "conflict" if it is not open any more. */
export async function withdrawRequest(ctx: ActorContext, { requestId }: ById): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const request = await lockOpenRequest(tx, ctx, requestId, await lockOwners(tx, ctx, "share"));
    if (request.requestedBy !== ctx.actor.id) throw new AppError("forbidden", texts.onlyOwn);
    await decide(tx, ctx, request, "withdrawn");
  });
}

async function lockOpenRequest(tx: Tx, ctx: ActorContext, requestId: number, owners: string[]): Promise<Request> {
  const isIt = eq(secondPersonRequests.id, requestId);
  const [request] = await tx.select().from(secondPersonRequests).where(isIt).for("update");
  if (!request) throw new AppError("not_found", texts.gone);
  if (!isOpen(request, { owners, now: ctx.clock.now() })) throw await refuseEnded(tx, request);
  return request;
}

const auditActions = {
  confirmed: "confirm_as_second_person",
  declined: "decline_as_second_person",
  withdrawn: "withdraw_request",
} as const;

async function decide(tx: Tx, ctx: ActorContext, request: Request, decision: Exclude<Decision, "lapsed">) {
  const { id, kind, details, requestedBy } = request;
  const isAlone = decision === "confirmed" && requestedBy === ctx.actor.id;
  await tx
    .update(secondPersonRequests)
    .set({ decision, decidedBy: ctx.actor.id, decidedAt: ctx.clock.now(), isAlone, details: endedDetails })
    .where(eq(secondPersonRequests.id, id));
  await recordAudit(tx, ctx, auditActions[decision], {
    requestId: id,
    kind,
    ...loggedDetails(details),
    requestedBy,
    isAlone,
  });
  if (decision === "withdrawn") return;
  const meaning = await kinds[kind].describe(tx, details);
  const told = { site: ctx.site.current(), by: ctx.actor.fullName, title: meaning?.title ?? kind };
  if (decision === "confirmed") {
    await notifyOwners(tx, ctx, {
      ...doneNotice({ ...told, isAlone, reason: request.reason }),
      but: isAlone ? null : requestedBy,
      projectId: meaning?.projectId ?? null,
      eventKey: `second_person:${id}:done`,
    });
  }
  if (requestedBy === ctx.actor.id) return;
  await notify(tx, ctx, {
    ...decidedNotice({ ...told, decision }),
    userIds: [requestedBy],
    kind: "second_person",
    projectId: meaning?.projectId ?? null,
    aboutUserId: ctx.actor.id,
    eventKey: `second_person:${id}:${decision}`,
  });
}

async function notifyOthers(tx: Tx, ctx: ActorContext, { id, kind, details, reason }: Request): Promise<void> {
  const meaning = await kinds[kind].describe(tx, details);
  if (!meaning) return;
  await notifyOwners(tx, ctx, {
    ...askedNotice({ site: ctx.site.current(), by: ctx.actor.fullName, title: meaning.title, reason }),
    but: ctx.actor.id,
    projectId: meaning.projectId,
    eventKey: `second_person:${id}:asked`,
  });
}

/** Ends what a person asked for who loses the rights of an owner. The caller holds the owners' locks. */
export async function endRequestsOf(tx: Tx, userId: string, at: Date): Promise<void> {
  await lapse(tx, eq(secondPersonRequests.requestedBy, userId), at);
}

/** Ends what was asked about people whose bank accounts are forgotten: where to pay them to. */
export async function endRequestsAbout(tx: Tx, userIds: string[], at: Date): Promise<void> {
  const { kind, subject } = secondPersonRequests;
  await lapse(tx, and(eq(kind, "enter_payee_account"), inArray(subject, userIds)), at);
}

/** Part of the hourly cleaning: what nobody confirmed in time ends, and what it named of somebody's account goes. */
export async function endExpiredRequests({ clock, db }: Pick<Deps, "clock" | "db">): Promise<void> {
  const now = clock.now();
  await lapse(db, lte(secondPersonRequests.requestedAt, expiredSince(now)), now);
}
