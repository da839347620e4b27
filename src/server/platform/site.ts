import { desc, eq, lte } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { siteProfiles } from "#server/db/schema/site.ts";
import { productColor, type Site, type SiteProfile, unnamedSite } from "#shared/site/site.ts";
import type { Deps, SiteReader } from "./deps.ts";
import type { Env } from "./env.ts";

/** Reads the profile from now on. Refreshed by the event of the table's trigger. */
export async function openSite({
  db,
  events,
  env,
  log,
}: Pick<Deps, "db" | "events" | "env" | "log">): Promise<SiteReader> {
  const read = async (): Promise<Site> => {
    const profile = await readProfile(db);
    return { ...profile, publicUrl: env.publicUrl, markPath: markPathOf(profile, env) };
  };
  let site = await read();
  const refresh = async () => {
    const found = await read();
    // Of two reads at once the later one may end first.
    if (found.version >= site.version) site = found;
  };
  const close = events.subscribe(({ type }) => {
    if (type !== "site" && type !== "missed") return;
    refresh().catch((error: unknown) => log.error({ err: error }, "the site's profile could not be read"));
  });
  return { current: () => site, refresh, close };
}

/** The newest version, the newest of a moment, or a certain one. Before the first: what a site is called until its operator says so. */
export async function readProfile(db: DbOrTx, which?: { at: Date } | { version: number }): Promise<SiteProfile> {
  const [row] = await db
    .select()
    .from(siteProfiles)
    .where(which && ("at" in which ? lte(siteProfiles.createdAt, which.at) : eq(siteProfiles.version, which.version)))
    .orderBy(desc(siteProfiles.version))
    .limit(1);
  if (!row) return unnamedSite;
  const { color, shades, writtenBy: _writtenBy, createdAt: _createdAt, ...profile } = row;
  return { ...profile, look: color === null || shades === null ? null : { color, shades } };
}

/** The address changes with the mark, so browsers keep it for ever. */
function markPathOf(site: SiteProfile, { demo }: Pick<Env, "demo">): string | null {
  if (site.markFileId !== null) return `/files/marks/${site.markFileId}`;
  if (demo) return null;
  const color = site.look?.color ?? productColor;
  return `/files/marks/${letterOf(site).codePointAt(0)?.toString(16)}-${color.slice(1)}`;
}

/** What stands in for a mark. */
export const letterOf = ({ name }: Pick<SiteProfile, "name">): string => [...name.trim().toUpperCase()][0] ?? "S";
