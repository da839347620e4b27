import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { savedSearches } from "#server/db/schema/saved-searches.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { searchLinkInput } from "#shared/saved-searches/inputs.ts";
import { savedSearchTexts } from "#shared/saved-searches/texts.ts";
import { readSearchLink } from "./rules.ts";

/** The caller's saved searches, oldest first. They are few. */
export const listSavedSearches = ({ db, actor }: ActorContext) =>
  db
    .select({ id: savedSearches.id, name: savedSearches.name, filters: savedSearches.filters })
    .from(savedSearches)
    .where(and(eq(savedSearches.userId, actor.id), isNull(savedSearches.stoppedAt)))
    .orderBy(asc(savedSearches.id));

/**
 * The search of a mail's link. Throws "not_found" if the link is forged, or the search was stopped so long ago that it
 * is deleted.
 */
export async function getLinkedSearch(
  { db, appSecret }: Pick<Context, "appSecret" | "db">,
  { token }: z.output<typeof searchLinkInput>,
): Promise<{ id: number; name: string; isStopped: boolean }> {
  const searchId = readSearchLink(appSecret, token);
  const [search] =
    searchId === null
      ? []
      : await db
          .select({
            id: savedSearches.id,
            name: savedSearches.name,
            isStopped: sql<boolean>`${savedSearches.stoppedAt} is not null`,
          })
          .from(savedSearches)
          .where(eq(savedSearches.id, searchId));
  if (!search) throw new AppError("not_found", savedSearchTexts.gone);
  return search;
}
