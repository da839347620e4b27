import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { z } from "zod";
import { requireSession } from "#server/accounts/sessions.ts";
import { listActiveOwners, lockUser } from "#server/accounts/users.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { siteProfiles } from "#server/db/schema/site.ts";
import { queueMails } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError, fieldRefusal } from "#server/platform/errors.ts";
import { readProfile } from "#server/platform/site.ts";
import type { saveCompanyInput } from "#shared/site/inputs.ts";
import {
  type CompanyField,
  companyFields,
  companyLabels,
  papersStay,
  referencesStay,
  profileTexts as texts,
} from "#shared/site/profile-texts.ts";
import type { Site, SiteProfile } from "#shared/site/site.ts";
import { type ChangedField, siteChangedMail } from "./emails.ts";
import { arePrefixesFixed } from "./queries.ts";

type Company = Pick<SiteProfile, CompanyField>;

/** The site as it is after a save, and whether that is another one. */
type Saved = { site: Site; wasChanged: boolean };

/**
 * Writes another version of the company. Throws "Another owner changed this in the meantime. …" if the company differs from
 * the one seen, and "References … are on people's bank statements. The prefix stays." at the field.
 */
export async function saveCompany(
  ctx: ActorContext,
  { seenVersion, ...company }: z.output<typeof saveCompanyInput>,
): Promise<Saved> {
  const wasChanged = await inTransaction(ctx.db, async (tx) => {
    await lockUser(tx, ctx.actor.id);
    // A loss of rights meanwhile has ended the session.
    await requireSession(tx, ctx.actor);
    const before = await lockProfile(tx);
    // The answer to an earlier try may have been lost.
    if (differences(before, company).length === 0) return false;
    const seen = before.version === seenVersion ? before : await readProfile(tx, { version: seenVersion });
    if (differences(before, seen).length > 0) throw new AppError("conflict", texts.changedMeanwhile);
    await refuseFixedPrefixes(tx, before, company);
    await writeCompany(tx, ctx, before, company);
    return true;
  });
  await ctx.site.refresh();
  return { site: ctx.site.current(), wasChanged };
}

/** The support address, within the transaction that saves it as a setting. False if that is what it was. */
export async function writeSupportEmail(tx: Tx, ctx: ActorContext, supportEmail: string): Promise<boolean> {
  const before = await lockProfile(tx);
  if (before.supportEmail === supportEmail) return false;
  await writeCompany(tx, ctx, before, { ...before, supportEmail });
  return true;
}

/** The newest profile; the next version is written by nobody else until the commit. */
export async function lockProfile(tx: Tx): Promise<SiteProfile> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('site_profile', 0))`);
  return readProfile(tx);
}

/** Appends a version. */
export async function appendProfile(tx: Tx, ctx: ActorContext, next: Omit<SiteProfile, "version">): Promise<number> {
  const { look, ...profile } = next;
  const version = (await readProfile(tx)).version + 1;
  await tx.insert(siteProfiles).values({
    ...profile,
    version,
    color: look?.color ?? null,
    shades: look?.shades ?? null,
    writtenBy: ctx.actor.id,
    createdAt: ctx.clock.now(),
  });
  return version;
}

/** Mails every owner what was before and what is now. */
export async function mailOwnersOfSite(
  tx: Tx,
  ctx: ActorContext,
  { what, profile, changes }: { what: "company" | "look"; profile: SiteProfile; changes: readonly ChangedField[] },
): Promise<void> {
  const eventKey = `site_${what}:${randomUUID()}`;
  const site = { ...ctx.site.current(), ...profile };
  const mails = (await listActiveOwners(tx)).map(({ email, fullName }) => ({
    eventKey,
    to: email,
    ...siteChangedMail({ fullName, site, what, changes, changedBy: ctx.actor, at: ctx.clock.now() }),
  }));
  await queueMails(tx, ctx, mails, { isUrgent: true });
}

async function writeCompany(tx: Tx, ctx: ActorContext, before: SiteProfile, company: Company): Promise<void> {
  const fields = differences(before, company);
  const after: SiteProfile = { ...before, ...pick(company, companyFields) };
  const version = await appendProfile(tx, ctx, after);
  await recordAudit(tx, ctx, "change_company", {
    version,
    before: pick(before, fields),
    after: pick(after, fields),
  });
  const changes = fields.map((field) => ({
    label: companyLabels[field],
    before: before[field],
    after: after[field],
  }));
  await mailOwnersOfSite(tx, ctx, { what: "company", profile: { ...after, version }, changes });
}

const differences = (before: Company, after: Company): CompanyField[] =>
  companyFields.filter((field) => before[field] !== after[field]);

const pick = (company: Company, fields: readonly CompanyField[]): Company =>
  Object.fromEntries(fields.map((field) => [field, company[field]])) as Company;

/** People compare references with what stands on their statements, so a prefix that is out stays. */
async function refuseFixedPrefixes(tx: Tx, before: Company, after: Company): Promise<void> {
  const isOther = {
    reference: before.referencePrefix !== after.referencePrefix,
    paper: before.paperPrefix !== after.paperPrefix,
  };
  if (!isOther.reference && !isOther.paper) return;
  // Waits for whoever is just writing one.
  await tx.execute(sql`lock table payment_references, payouts, papers in share mode`);
  if (!(await arePrefixesFixed(tx))) return;
  if (isOther.reference) throw fieldRefusal("referencePrefix", referencesStay(before.referencePrefix));
  throw fieldRefusal("paperPrefix", papersStay(before.paperPrefix));
}
