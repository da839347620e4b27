import { inArray, sql } from "drizzle-orm";
import { activeOwners, everHadOwner } from "#server/accounts/owners/owner-terms.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { settings } from "#server/db/schema/settings.ts";
import { findBankDetails } from "#server/features/settings/queries.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { readProfile } from "#server/platform/site.ts";
import { errorTexts } from "#shared/errors.ts";
import { type SetupStep, setupRules } from "#shared/site/setup-texts.ts";

/** Returns true while /setup is open: until the first owner exists, and never again. */
export const isSetupOpen = async (db: DbOrTx): Promise<boolean> => !(await everHadOwner(db));

/** For the page /setup. Throws "not_found" once the site has had an owner. */
export async function findSetup({ db }: Context): Promise<{ isOpen: true }> {
  if (await isSetupOpen(db)) return { isOpen: true };
  throw new AppError("not_found", errorTexts.notFound);
}

/** The conditions besides the bank account under which a real site takes money. */
type Readiness = { isCompanyWritten: boolean; areTextsAdopted: boolean; isMailProven: boolean };

/**
 * Name and prefix always stand where a profile is: its company and address may be missing. A text that is in force later only
 * isn't adopted yet: until its day people would agree to the software's draft.
 */
async function findReadiness(db: DbOrTx, now: Date): Promise<Readiness> {
  const [found] = await rows<Readiness>(
    db,
    sql`select coalesce((
        select legal_name is not null and address is not null from site_profiles order by version desc limit 1
      ), false) as "isCompanyWritten", (
        select count(distinct page) = 2 from site_pages
        where page in ('terms', 'privacy') and in_force_from <= ${now.toISOString()}::timestamptz
      ) as "areTextsAdopted",
      exists (select from mail_proofs where proven_at is not null) as "isMailProven"`,
  );
  if (!found) throw new Error("the readiness was not read");
  return found;
}

/**
 * Returns true if backers may pay: the bank account is set, and on a real site the company is written, terms and
 * privacy are adopted and a mail was proven. In development and in the demo the bank account is enough.
 */
export async function takesMoney(db: DbOrTx, { env, clock }: Pick<Deps, "env" | "clock">): Promise<boolean> {
  if (!(await findBankDetails(db))) return false;
  if (!env.isProduction) return true;
  return Object.values(await findReadiness(db, clock.now())).every(Boolean);
}

type Office = { hasFactor: boolean; owners: number; invited: string | null; sentTo: string | null };

const findOffice = async (db: DbOrTx, actorId: string, now: Date): Promise<Office> => {
  const [found] = await rows<Office>(
    db,
    sql`select exists (
        select from two_factors f where f.confirmed_at is not null and f.user_id in (${activeOwners})
      ) as "hasFactor",
      (select count(*)::int from (${activeOwners}) owner) as owners, (
        select email from admin_invites
        where role = 'owner' and consumed_at is null and expires_at > ${now.toISOString()}::timestamptz
        order by id desc limit 1
      ) as invited, (
        select sent_to from mail_proofs where asked_by = ${actorId} order by id desc limit 1
      ) as "sentTo"`,
  );
  if (!found) throw new Error("the office was not read");
  return found;
};

/**
 * The steps of the set-up, each with whether it is done, and what is there already. Read from what they wrote, not
 * stored.
 */
export async function listSetupSteps({ db, clock, actor, env }: ActorContext) {
  const readiness = await findReadiness(db, clock.now());
  const office = await findOffice(db, actor.id, clock.now());
  const bankDetails = await findBankDetails(db);
  const set = await db
    .select({ key: settings.key, value: settings.value })
    .from(settings)
    .where(inArray(settings.key, [...setupRules]));
  const { legalName, companyNumber, address, look, markFileId } = await readProfile(db);
  const done: Record<SetupStep, boolean> = {
    you: office.hasFactor,
    company: readiness.isCompanyWritten,
    look: look !== null || markFileId !== null,
    bank: bankDetails !== null,
    mail: readiness.isMailProven,
    texts: readiness.areTextsAdopted,
    rules: setupRules.every((key) => set.some((rule) => rule.key === key)),
    second_owner: office.owners > 1,
  };
  return {
    steps: Object.entries(done).map(([step, isDone]) => ({ step: step as SetupStep, isDone })),
    /** A real site that isn't ready shows no bank details to anybody. */
    isClosedForMoney: env.isProduction && !(await takesMoney(db, { env, clock })),
    company: { legalName, companyNumber, address },
    bankDetails,
    mail: {
      /** True on a real site without a mail server. */
      isKept: env.isMailKept,
      hasServer: env.smtpUrl !== undefined,
      sentTo: office.sentTo,
    },
    /** The stored ones only; defaults hold for the others. */
    rules: set,
    invited: office.invited,
  };
}
