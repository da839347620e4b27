import { and, asc, eq, gt, isNull } from "drizzle-orm";
import { listActiveOwners } from "#server/accounts/users.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { users } from "#server/db/schema/users.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { secondPersonTexts } from "#shared/second-person-texts.ts";
import { kinds } from "./kinds.ts";
import { endOf, expiredSince } from "./requests.ts";

/** What waits for a second person, oldest first, with what it means in words and what the caller may do with it. */
export async function listOpenRequests(ctx: ActorContext) {
  const owners = (await listActiveOwners(ctx.db)).map(({ id }) => id);
  const found = await ctx.db
    .select({ request: secondPersonRequests, askedBy: users.fullName })
    .from(secondPersonRequests)
    .innerJoin(users, eq(users.id, secondPersonRequests.requestedBy))
    .where(
      and(isNull(secondPersonRequests.decision), gt(secondPersonRequests.requestedAt, expiredSince(ctx.clock.now()))),
    )
    .orderBy(asc(secondPersonRequests.id))
    .limit(shown);
  const requests = [];
  for (const { request, askedBy } of found) {
    const { id, kind, details, reason, requestedBy, requestedAt } = request;
    if (!owners.includes(requestedBy)) continue;
    const meaning = await kinds[kind].describe(ctx.db, details);
    requests.push({
      id,
      kind,
      askedBy,
      subject: request.subject,
      reason,
      requestedAt,
      until: endOf(request),
      title: meaning?.title ?? secondPersonTexts.noLongerPossible,
      consequences: meaning?.consequences ?? [],
      projectId: meaning?.projectId ?? null,
      isPossible: meaning?.isPossible ?? false,
      isOwn: requestedBy === ctx.actor.id,
    });
  }
  return { requests, isAlone: owners.length === 1 };
}

const shown = 100;
