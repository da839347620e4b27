import { eq, sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { siteProfiles } from "#server/db/schema/site.ts";
import { users } from "#server/db/schema/users.ts";
import type { Context } from "#server/platform/context.ts";
import { readProfile } from "#server/platform/site.ts";

/** The newest profile, who wrote it and when, and whether its prefixes may still change. */
export async function findProfile({ db }: Pick<Context, "db">) {
  const profile = await readProfile(db);
  const [written] = await db
    .select({ at: siteProfiles.createdAt, by: users.fullName })
    .from(siteProfiles)
    .leftJoin(users, eq(users.id, siteProfiles.writtenBy))
    .where(eq(siteProfiles.version, profile.version));
  return { profile, written: written ?? null, arePrefixesFixed: await arePrefixesFixed(db) };
}

/** Returns true if any reference or paper begins with one of the prefixes. */
export async function arePrefixesFixed(db: DbOrTx): Promise<boolean> {
  const [row] = await rows<{ fixed: boolean }>(
    db,
    sql`select exists (select from payment_references) or exists (select from payouts) or exists (select from papers) as fixed`,
  );
  return row?.fixed ?? false;
}
