import { and, asc, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { activeOwners } from "#server/accounts/owners/owner-terms.ts";
import { findConfirmRefusal } from "#server/accounts/owners/who-may-confirm.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { users } from "#server/db/schema/users.ts";
import { linkToEvidence } from "#server/features/payments/evidence/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { secondPersonTexts as texts } from "#shared/second-person/texts.ts";
import { kinds } from "./kinds.ts";
import { endOf, expiredSince, type Request } from "./requests.ts";

/** Condition of the requests that wait: undecided, in time, and asked by somebody who is still an owner. */
export const isAsked = (now: Date): SQL | undefined =>
  and(
    isNull(secondPersonRequests.decision),
    gt(secondPersonRequests.requestedAt, expiredSince(now)),
    sql`${secondPersonRequests.requestedBy} in (${activeOwners})`,
  );

/**
 * Lists the requests that wait for a second person, oldest first, with their meaning in words and the caller's options.
 */
export async function listOpenRequests(ctx: ActorContext) {
  const found = await ctx.db
    .select({ request: secondPersonRequests, askedBy: users.fullName })
    .from(secondPersonRequests)
    .innerJoin(users, eq(users.id, secondPersonRequests.requestedBy))
    .where(isAsked(ctx.clock.now()))
    .orderBy(asc(secondPersonRequests.id))
    .limit(shown);
  const requests = [];
  for (const { request, askedBy } of found) {
    const { id, kind, details, reason, requestedBy, requestedAt } = request;
    const meaning = await kinds[kind].describe(ctx.db, details);
    requests.push({
      id,
      kind,
      askedBy,
      subject: request.subject,
      reason,
      requestedAt,
      until: endOf(request),
      title: meaning?.title ?? texts.noLongerPossible,
      consequences: meaning?.consequences ?? [],
      projectId: meaning?.projectId ?? null,
      isPossible: meaning?.isPossible ?? false,
      ...(meaning?.fileIds && { papers: await linkToEvidence(ctx, meaning.fileIds) }),
      isOwn: requestedBy === ctx.actor.id,
      /** The reason why the caller can't confirm it; null if they can. */
      refusal:
        (await findConcern(ctx.db, ctx, request)) ??
        (await findConfirmRefusal(ctx.db, { madeBy: requestedBy, userId: ctx.actor.id, now: ctx.clock.now() })),
    });
  }
  return { requests };
}

/** Returns the reason why the caller can't confirm a request that is about their own money, or null. */
export async function findConcern(
  db: DbOrTx,
  { actor }: Pick<ActorContext, "actor">,
  { kind, details, requestedBy }: Pick<Request, "kind" | "details" | "requestedBy">,
): Promise<string | null> {
  const isConcerned = requestedBy !== actor.id && (await kinds[kind].concerns(db, details)).includes(actor.id);
  return isConcerned ? kinds[kind].concernedText : null;
}

/**
 * The refusal of a request that isn't open any more: nobody may have decided, because the account that it was about
 * ended.
 */
export async function refuseEnded(db: DbOrTx, { details, decision }: Request): Promise<AppError> {
  const { userId } = details;
  const isUndecided = decision === null || decision === "lapsed";
  if (!isUndecided || typeof userId !== "string") return new AppError("conflict", texts.gone);
  const isEnded = (await db.$count(users, and(eq(users.id, userId), isNotNull(users.closedAt)))) > 0;
  return new AppError("conflict", isEnded ? texts.accountEnded : texts.gone);
}

const shown = 100;
