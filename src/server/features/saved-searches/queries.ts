import { asc, eq } from "drizzle-orm";
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
    .where(eq(savedSearches.userId, actor.id))
    .orderBy(asc(savedSearches.id));

/** The search of a mail's link. Throws "not_found" if the link is forged, or the search was stopped. */
export async function getLinkedSearch(
  { db, appSecret }: Pick<Context, "appSecret" | "db">,
  { token }: z.output<typeof searchLinkInput>,
): Promise<{ id: number; name: string }> {
  const searchId = readSearchLink(appSecret, token);
  const [search] =
    searchId === null
      ? []
      : await db
          .select({ id: savedSearches.id, name: savedSearches.name })
          .from(savedSearches)
          .where(eq(savedSearches.id, searchId));
  if (!search) throw new AppError("not_found", savedSearchTexts.gone);
  return search;
}
