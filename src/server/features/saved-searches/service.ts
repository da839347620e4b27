import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { lockUser } from "#server/accounts/users.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction } from "#server/db/open.ts";
import { savedSearches } from "#server/db/schema/saved-searches.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type {
  renameSearchInput,
  saveSearchInput,
  searchIdInput,
  searchLinkInput,
} from "#shared/saved-searches/inputs.ts";
import { savedSearchLimits, savedSearchTexts } from "#shared/saved-searches/texts.ts";
import { getLinkedSearch } from "./queries.ts";

/**
 * Saves a search of the caller, who is told of projects that open from now on. Throws "conflict" if they have the same one,
 * or as many as one may have.
 */
export async function saveSearch(
  { db, actor, clock }: ActorContext,
  { name, filters }: z.output<typeof saveSearchInput>,
): Promise<void> {
  const now = clock.now();
  const save = inTransaction(db, async (tx) => {
    await lockUser(tx, actor.id);
    const saved = await tx.$count(savedSearches, eq(savedSearches.userId, actor.id));
    if (saved >= savedSearchLimits.each) throw new AppError("conflict", savedSearchTexts.tooMany);
    await tx.insert(savedSearches).values({ userId: actor.id, name, filters, toldUntil: now, createdAt: now });
  });
  await save.catch((error) => {
    throw isUniqueViolation(error, "saved_searches_same") ? new AppError("conflict", savedSearchTexts.same) : error;
  });
}

const ownSearch = ({ actor }: ActorContext, { searchId }: z.output<typeof searchIdInput>) =>
  and(eq(savedSearches.id, searchId), eq(savedSearches.userId, actor.id));

/** Throws "not_found" for one that was stopped, or is somebody else's. */
export async function renameSearch(
  ctx: ActorContext,
  { name, ...search }: z.output<typeof renameSearchInput>,
): Promise<void> {
  const renamed = await ctx.db
    .update(savedSearches)
    .set({ name })
    .where(ownSearch(ctx, search))
    .returning({ id: savedSearches.id });
  if (renamed.length === 0) throw new AppError("not_found", savedSearchTexts.gone);
}

/** Stopping one that is stopped already is no error. */
export async function stopSearch(ctx: ActorContext, search: z.output<typeof searchIdInput>): Promise<void> {
  await ctx.db.delete(savedSearches).where(ownSearch(ctx, search));
}

/** The same with the link in a mail. Throws "not_found" as {@link getLinkedSearch} does. */
export async function stopSearchByLink(
  ctx: Pick<Context, "appSecret" | "db">,
  input: z.output<typeof searchLinkInput>,
): Promise<void> {
  const { id } = await getLinkedSearch(ctx, input);
  await ctx.db.delete(savedSearches).where(eq(savedSearches.id, id));
}
