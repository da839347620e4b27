import { desc, eq, lte } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { settings } from "#server/db/schema/settings.ts";
import { siteProfiles } from "#server/db/schema/site.ts";
import { reviewTimeOf } from "#shared/payments/review-time.ts";
import { careersKey, effectiveValue, reviewDaysKey } from "#shared/settings/texts.ts";
import { productColor, type Site, type SiteProfile, unnamedSite } from "#shared/site/site.ts";
import type { Deps, SiteReader } from "./deps.ts";
import type { Env } from "./env.ts";

/** Reads the profile from now on, and the settings careers and reviewdays. Refreshed by the event of the tables' triggers. */
export async function openSite({
  db,
  events,
  env,
  log,
}: Pick<Deps, "db" | "events" | "env" | "log">): Promise<SiteReader> {
  const read = async (): Promise<Site> => {
    const profile = await readProfile(db);
    const reviewDays = await findReviewDays(db);
    return {
      ...profile,
      publicUrl: env.publicUrl,
      markPath: markPathOf(profile, env),
      hasCareers: await offersJobs(db),
      reviewDays,
      reviewTime: reviewTimeOf(reviewDays),
    };
  };
  let site = await read();
  let reading = Promise.resolve();
  const refresh = () => {
    // One after the other: of two reads at once the later one may end first.
    const next = reading.then(async () => {
      site = await read();
    });
    reading = next.catch(() => undefined);
    return next;
  };
  let isOpen = true;
  const stop = events.subscribe(({ type }) => {
    if (type !== "site" && type !== "missed") return;
    refresh().catch((error: unknown) => {
      // The database may be closed under a read that nobody waits for.
      if (isOpen) log.error({ err: error }, "the site's profile could not be read");
    });
  });
  const close = () => {
    isOpen = false;
    stop();
  };
  return { current: () => site, refresh, close };
}

/** The setting careers: off unless an owner switched it on. */
export async function offersJobs(db: DbOrTx): Promise<boolean> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, careersKey));
  return row?.value === "on";
}

/** Within how many working days receipts are reviewed (setting reviewdays). */
async function findReviewDays(db: DbOrTx): Promise<number> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, reviewDaysKey));
  return Number(effectiveValue(reviewDaysKey, row?.value));
}

/**
 * The newest version, the newest of a moment, or a certain one. Before the first: what a site is called until its
 * operator says so.
 */
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

/** The letter that stands in for a mark. */
export const letterOf = ({ name }: Pick<SiteProfile, "name">): string => [...name.trim().toUpperCase()][0] ?? "S";
