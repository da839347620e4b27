import { and, desc, eq } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { sitePages } from "#server/db/schema/site.ts";
import { users } from "#server/db/schema/users.ts";
import type { Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { fillIn, type PageText, readPageText, readPageValues, readShipped } from "#server/platform/page-texts.ts";
import { dayInLagos } from "#shared/dates.ts";
import { pageTextTexts as texts } from "#shared/site/page-texts.ts";
import { type PageVersionState, readVersions } from "#shared/site/page-versions.ts";
import { type OwnPage, ownPages } from "#shared/site/pages.ts";
import { layOut } from "./layout.ts";

/** The text in force, as everybody reads it, with the versions before it. */
export async function getPage(ctx: Pick<Context, "db" | "clock">, { page }: { page: OwnPage }) {
  const text = await readPageText(ctx, page);
  return describe(await listVersions(ctx, page), text, ctx.clock.now());
}

/**
 * One version, also a past one. One that isn't in force yet, or never was, is for owners only: others get "not_found".
 * Those of the terms are for everybody, because people are mailed about them, and may agree to them, before their day.
 */
export async function getPageVersion(ctx: Context, { page, version }: { page: OwnPage; version: number }) {
  const versions = await listVersions(ctx, page);
  const found = versions.find((one) => one.version === version);
  const isOwner = ctx.actor?.permissions.includes("settings:manage") ?? false;
  if (!found || !(isOwner || page === "terms" || wasInForce(found))) throw new AppError("not_found", texts.noVersion);
  const html = fillIn(await readHtml(ctx.db, page, version), await readPageValues(ctx.db));
  return describe(versions, { page, version, html }, ctx.clock.now());
}

const wasInForce = ({ state }: { state: PageVersionState }) => state === "in_force" || state === "past";

type Versions = Awaited<ReturnType<typeof listVersions>>;

function describe(versions: Versions, { html, ...text }: PageText, now: Date) {
  const own = versions.find(({ version }) => version === text.version);
  return {
    ...text,
    isShipped: text.version === 0,
    state: own?.state ?? ("in_force" as const),
    inForceFrom: own?.inForceFrom ?? null,
    until: own?.until ?? null,
    ...layOut(html),
    /** Legal pages say that they were last updated today (specification, section 2). */
    today: dayInLagos(now),
    others: versions.filter((one) => wasInForce(one) && one.version !== text.version).map(toPublic),
  };
}

const toPublic = ({ version, inForceFrom, until }: Versions[number]) => ({ version, inForceFrom, until });

/** The figures that the software's own pages name, as words: "5%", "24 hours". */
export async function getFigures({ db }: Pick<Context, "db">) {
  const { fee, holdhours, refunddays, reviewdays } = await readPageValues(db);
  return {
    fee,
    holdHours: holdhours,
    refundDays: refunddays,
    reviewDays: reviewdays,
    holdsLots: holdhours !== "0 hours",
  };
}

/** The five texts and what has become of their versions, newest first, for owners. */
export async function listPages(ctx: Pick<Context, "db" | "clock">) {
  const pages: { page: OwnPage; versions: Versions }[] = [];
  for (const page of ownPages) pages.push({ page, versions: await listVersions(ctx, page) });
  return pages;
}

/** The newest version of a text as its owners edit it, with its variables; the software's until there is one. */
export async function getPageSource({ db, clock }: Pick<Context, "db" | "clock">, { page }: { page: OwnPage }) {
  const newest = await findNewest(db, page);
  return {
    page,
    version: newest?.version ?? 0,
    html: newest?.html ?? (await readShipped(page)),
    isShipped: newest === null,
    /** The moment when the newest version comes into force; null if it is already. */
    comesAt: newest && newest.inForceFrom > clock.now() ? newest.inForceFrom : null,
  };
}

/** Null where the operator has none. */
export async function findNewest(db: DbOrTx, page: OwnPage): Promise<typeof sitePages.$inferSelect | null> {
  const [newest] = await db
    .select()
    .from(sitePages)
    .where(eq(sitePages.page, page))
    .orderBy(desc(sitePages.version))
    .limit(1);
  return newest ?? null;
}

async function listVersions({ db, clock }: Pick<Context, "db" | "clock">, page: OwnPage) {
  const { version, inForceFrom, isMaterial, changeNote, createdAt } = sitePages;
  const found = await db
    .select({ version, inForceFrom, isMaterial, changeNote, createdAt, writtenBy: users.fullName })
    .from(sitePages)
    .innerJoin(users, eq(users.id, sitePages.writtenBy))
    .where(eq(sitePages.page, page));
  return readVersions(found, clock.now());
}

async function readHtml(db: DbOrTx, page: OwnPage, version: number): Promise<string> {
  const [row] = await db
    .select({ html: sitePages.html })
    .from(sitePages)
    .where(and(eq(sitePages.page, page), eq(sitePages.version, version)));
  return row?.html ?? "";
}
