import type { Db } from "#server/db/open.ts";
import { siteProfiles } from "#server/db/schema/site.ts";
import { gona } from "./site.ts";

/** Names the site of a database, long before the clocks of the tests begin. */
export async function keepGona(db: Db): Promise<void> {
  const { look: _look, publicUrl: _publicUrl, markPath: _markPath, ...profile } = gona;
  await db.insert(siteProfiles).values({ ...profile, createdAt: new Date("2020-01-01T00:00:00Z") });
}
