import { and, desc, eq, isNotNull, isNull, notInArray, type SQL } from "drizzle-orm";
import type { z } from "zod";
import { lockUser } from "#server/accounts/users.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
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

/** Locks the person, whose searches run from then on one by one. Throws "conflict" if they have as many as one may have. */
async function requireRoom(tx: Tx, userId: string): Promise<void> {
  await lockUser(tx, userId);
  const running = await tx.$count(
    savedSearches,
    and(eq(savedSearches.userId, userId), isNull(savedSearches.stoppedAt)),
  );
  if (running >= savedSearchLimits.each) throw new AppError("conflict", savedSearchTexts.tooMany);
}

/**
 * Saves a search of the caller, who is told of projects that open from now on: a stopped one runs again. Throws "conflict" if
 * they have the same one, or as many as one may have.
 */
export async function saveSearch(
  { db, actor, clock }: ActorContext,
  { name, filters }: z.output<typeof saveSearchInput>,
): Promise<void> {
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    await requireRoom(tx, actor.id);
    const saved = await tx
      .insert(savedSearches)
      .values({ userId: actor.id, name, filters, toldUntil: now, createdAt: now })
      .onConflictDoUpdate({
        target: [savedSearches.userId, savedSearches.filters],
        set: { name, toldUntil: now, createdAt: now, stoppedAt: null },
        setWhere: isNotNull(savedSearches.stoppedAt),
      })
      .returning({ id: savedSearches.id });
    if (saved.length === 0) throw new AppError("conflict", savedSearchTexts.same);
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
    .where(and(ownSearch(ctx, search), isNull(savedSearches.stoppedAt)))
    .returning({ id: savedSearches.id });
  if (renamed.length === 0) throw new AppError("not_found", savedSearchTexts.gone);
}

type Stopping = Pick<Context, "clock" | "db">;

/** Stopping one that is stopped already changes nothing. Of a person's stopped ones as many stay as may run. */
const stop = ({ db, clock }: Stopping, which: SQL | undefined) =>
  inTransaction(db, async (tx) => {
    const [search] = await tx
      .update(savedSearches)
      .set({ stoppedAt: clock.now() })
      .where(and(which, isNull(savedSearches.stoppedAt)))
      .returning({ userId: savedSearches.userId });
    if (!search) return;
    const isStopped = and(eq(savedSearches.userId, search.userId), isNotNull(savedSearches.stoppedAt));
    const latest = tx
      .select({ id: savedSearches.id })
      .from(savedSearches)
      .where(isStopped)
      .orderBy(desc(savedSearches.stoppedAt), desc(savedSearches.id))
      .limit(savedSearchLimits.each);
    await tx.delete(savedSearches).where(and(isStopped, notInArray(savedSearches.id, latest)));
  });

/**
 * A stopped search goes on as if it hadn't been: what opened in between is told too. Throws "not_found" if it was
 * deleted since, and "conflict" if the person has as many others as one may have.
 */
const undoStop = ({ db }: Stopping, which: SQL | undefined) =>
  inTransaction(db, async (tx) => {
    const [search] = await tx.select().from(savedSearches).where(which);
    if (!search) throw new AppError("not_found", savedSearchTexts.gone);
    await lockUser(tx, search.userId);
    const [stopped] = await tx
      .select()
      .from(savedSearches)
      .where(and(which, isNotNull(savedSearches.stoppedAt)));
    if (!stopped) return;
    await requireRoom(tx, search.userId);
    await tx.update(savedSearches).set({ stoppedAt: null }).where(eq(savedSearches.id, search.id));
  });

export async function stopSearch(ctx: ActorContext, search: z.output<typeof searchIdInput>): Promise<void> {
  await stop(ctx, ownSearch(ctx, search));
}

export const undoStopOfSearch = (ctx: ActorContext, search: z.output<typeof searchIdInput>): Promise<void> =>
  undoStop(ctx, ownSearch(ctx, search));

type LinkContext = Stopping & Pick<Context, "appSecret">;

/** The same with the link in a mail. Throws "not_found" as {@link getLinkedSearch} does. */
export async function stopSearchByLink(ctx: LinkContext, input: z.output<typeof searchLinkInput>): Promise<void> {
  const { id } = await getLinkedSearch(ctx, input);
  await stop(ctx, eq(savedSearches.id, id));
}

export async function undoStopByLink(ctx: LinkContext, input: z.output<typeof searchLinkInput>): Promise<void> {
  const { id } = await getLinkedSearch(ctx, input);
  await undoStop(ctx, eq(savedSearches.id, id));
}
