import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { and, desc, eq, inArray, lte } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { settings } from "#server/db/schema/settings.ts";
import { agreedTexts, sitePages } from "#server/db/schema/site.ts";
import { shippedText } from "#server/root.ts";
import { reviewTimeOf } from "#shared/payments/review-time.ts";
import {
  effectiveValue,
  holdHoursKey,
  type NumberSettingKey,
  platformFeeKey,
  refundDaysKey,
  reviewDaysKey,
  settingValueText,
} from "#shared/settings/texts.ts";
import { listParagraph, type PageVariable, pageVariables, tagOrVariable } from "#shared/site/page-variables.ts";
import type { OwnPage } from "#shared/site/pages.ts";
import { companyOf, supportOf } from "#shared/site/site.ts";
import { cookies, localNames, type StoredName, tabNames } from "#shared/site/stored-names.ts";
import type { Clock } from "./clock.ts";
import { sanitizePageText } from "./rich-text.ts";
import { readProfile } from "./site.ts";
import { escapeHtml } from "./text.ts";

/** One of the texts that the operator answers for, as people read it. */
export type PageText = {
  page: OwnPage;
  /** 0 for the text that the software brings. */
  version: number;
  /** Sanitised, with every variable filled in. */
  html: string;
};

/** One version of a text, in force or not, with the variables as they stand now. Null for a version that nobody wrote. */
export async function readPageVersion(db: DbOrTx, page: OwnPage, version: number): Promise<PageText | null> {
  const values = await readPageValues(db);
  if (version === 0) return { page, version, html: fillIn(await readShipped(page), values) };
  const isIt = and(eq(sitePages.page, page), eq(sitePages.version, version));
  const [own] = await db.select().from(sitePages).where(isIt);
  return own ? { page, version, html: fillIn(own.html, values) } : null;
}

/** The text that is in force: the operator's or, until they have one, the software's. */
export async function readPageText({ db, clock }: { db: DbOrTx; clock: Clock }, page: OwnPage): Promise<PageText> {
  const [own] = await db
    .select()
    .from(sitePages)
    .where(and(eq(sitePages.page, page), lte(sitePages.inForceFrom, clock.now())))
    .orderBy(desc(sitePages.version))
    .limit(1);
  const html = own?.html ?? (await readShipped(page));
  return { page, version: own?.version ?? 0, html: fillIn(html, await readPageValues(db)) };
}

/**
 * Keeps the text in force word for word, for whoever agrees to it now, and gives its SHA-256. The same words of one version
 * are kept once.
 */
export async function agreedText(tx: Tx, { clock }: { clock: Clock }, page: OwnPage): Promise<string> {
  return keepText(tx, { clock }, await readPageText({ db: tx, clock }, page));
}

/** Keeps a text word for word, for whoever agrees to it, and gives its SHA-256. */
export async function keepText(tx: Tx, { clock }: { clock: Clock }, text: PageText): Promise<string> {
  const { page, version, html } = text;
  const sha256 = agreedTextHash(text);
  await tx.insert(agreedTexts).values({ sha256, page, version, html, createdAt: clock.now() }).onConflictDoNothing();
  return sha256;
}

/** The version counts too: the same words may stand in two of them. */
export const agreedTextHash = ({ page, version, html }: Pick<PageText, "page" | "version" | "html">): string =>
  createHash("sha256").update(`${page} ${version}\n${html}`).digest("hex");

const shipped = new Map<OwnPage, Promise<string>>();

/** The text that the software brings, with its variables. */
export function readShipped(page: OwnPage): Promise<string> {
  const known = shipped.get(page);
  if (known) return known;
  const reading = readFile(shippedText(page), "utf8").then(sanitizePageText);
  shipped.set(page, reading);
  return reading;
}

/** The values of the variables: plain texts, and the support address as a link. */
export type PageValues = Record<PageVariable, string> & { supportLink: string };

export async function readPageValues(db: DbOrTx): Promise<PageValues> {
  const profile = await readProfile(db);
  const rows = await db
    .select({ key: settings.key, value: settings.value })
    .from(settings)
    .where(inArray(settings.key, [platformFeeKey, holdHoursKey, refundDaysKey, reviewDaysKey]));
  const counted = (key: NumberSettingKey) => effectiveValue(key, rows.find((row) => row.key === key)?.value);
  const number = (key: NumberSettingKey) => settingValueText(key, counted(key));
  const { name, supportEmail } = profile;
  return {
    name,
    company: companyOf(profile),
    support: supportOf(profile),
    supportLink:
      supportEmail === null
        ? 'us through the <a href="/contact">contact form</a>'
        : `<a href="mailto:${escapeHtml(supportEmail)}">${escapeHtml(supportEmail)}</a>`,
    fee: number(platformFeeKey),
    holdhours: number(holdHoursKey),
    refunddays: number(refundDaysKey),
    reviewdays: reviewTimeOf(Number(counted(reviewDaysKey))),
  };
}

/** Fills the variables of a sanitised text in. One that it doesn't know stays as it is. */
export function fillIn(html: string, values: PageValues): string {
  let isInLink = false;
  return html
    .replace(listParagraph, (_, list: "cookielist" | "storagelist") => lists[list]())
    .replace(tagOrVariable, (found, typed: string | undefined) => {
      const name = typed?.trim();
      if (name === undefined) {
        if (/^<\/?a[ >]/.test(found)) isInLink = found[1] !== "/";
        return found;
      }
      if (!isPageVariable(name)) return found;
      // A link can't stand within a link.
      return name === "support" && !isInLink ? values.supportLink : escapeHtml(values[name]);
    });
}

const isPageVariable = (name: string): name is PageVariable => pageVariables.some((variable) => variable === name);

const lists = {
  cookielist: () => storedList(cookies),
  storagelist: () => `${storedList(localNames)}\n<h3>For one tab only</h3>\n${storedList(tabNames)}`,
};

function storedList(names: readonly StoredName[]): string {
  const items = names.map(
    ({ name, purpose, kept }) =>
      `<div><dt><code>${escapeHtml(name)}</code></dt><dd>${escapeHtml(purpose)}</dd><dd>Kept: ${escapeHtml(kept)}</dd></div>`,
  );
  return `<dl>${items.join("\n")}</dl>`;
}
