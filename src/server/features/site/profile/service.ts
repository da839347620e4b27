import { and, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { mailOwners } from "#server/accounts/owners/mail-owners.ts";
import { requireSession } from "#server/accounts/sessions.ts";
import { lockUser } from "#server/accounts/users.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { siteProfiles } from "#server/db/schema/site.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError, fieldRefusal } from "#server/platform/errors.ts";
import { readProfile } from "#server/platform/site.ts";
import type { saveCompanyInput, saveLookInput } from "#shared/site/inputs.ts";
import {
  type CompanyField,
  companyFields,
  companyLabels,
  papersStay,
  referencesStay,
  profileTexts as texts,
} from "#shared/site/profile-texts.ts";
import type { Site, SiteProfile } from "#shared/site/site.ts";
import { companyChangedMail } from "./emails.ts";
import { tryColor } from "./look.ts";
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

/**
 * Writes another version of the look. Throws the fault of a colour that reads badly, at the field; "This picture is no longer
 * stored. …"; and "Another owner changed this in the meantime. …".
 */
export async function saveLook(
  ctx: ActorContext,
  { seenVersion, color, markFileId }: z.output<typeof saveLookInput>,
): Promise<Saved> {
  const tried = color === null ? null : tryColor(color);
  if (tried && "fault" in tried) throw fieldRefusal("color", tried.fault);
  const look = tried?.look ?? null;
  const wasChanged = await inTransaction(ctx.db, async (tx) => {
    await lockUser(tx, ctx.actor.id);
    await requireSession(tx, ctx.actor);
    const before = await lockProfile(tx);
    const isSame = (one: SiteProfile, other: Pick<SiteProfile, "look" | "markFileId">) =>
      one.look?.color === other.look?.color && one.markFileId === other.markFileId;
    if (isSame(before, { look, markFileId })) return false;
    const seen = before.version === seenVersion ? before : await readProfile(tx, { version: seenVersion });
    if (!isSame(before, seen)) throw new AppError("conflict", texts.changedMeanwhile);
    if (markFileId !== null) await requireMark(tx, markFileId);
    const version = await appendProfile(tx, ctx, { ...before, look, markFileId });
    const facts = (profile: Pick<SiteProfile, "look" | "markFileId">) => ({
      color: profile.look?.color ?? null,
      markFileId: profile.markFileId,
    });
    await recordAudit(tx, ctx, "change_look", { version, before: facts(before), after: facts({ look, markFileId }) });
    return true;
  });
  await ctx.site.refresh();
  return { site: ctx.site.current(), wasChanged };
}

/** Locks the file, so that no sweep removes it before the profile refers to it. */
async function requireMark(tx: Tx, fileId: string): Promise<void> {
  const [file] = await tx
    .select({ id: storedFiles.id })
    .from(storedFiles)
    .where(and(eq(storedFiles.id, fileId), eq(storedFiles.kind, "mark")))
    .for("key share");
  if (!file) throw new AppError("not_found", texts.markGone);
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

/** Appends a version to the newest, which is locked: `next` is that one with what changes. */
async function appendProfile(tx: Tx, ctx: ActorContext, next: SiteProfile): Promise<number> {
  const { look, ...profile } = next;
  const version = next.version + 1;
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
  const site = { ...ctx.site.current(), ...after, version };
  // Their heads and signatures name the site as it is from now on, too.
  const deps = { ...ctx, site: { ...ctx.site, current: () => site } };
  await mailOwners(tx, deps, {
    eventKey: `company:${version}`,
    isUrgent: true,
    write: ({ fullName }) => companyChangedMail({ fullName, site, changes, changedBy: ctx.actor, at: ctx.clock.now() }),
  });
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
