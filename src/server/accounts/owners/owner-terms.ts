import { type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { ownerLimits } from "#shared/second-person/texts.ts";

/** Since when, and until when, people were owners: `who-may-confirm.ts` decides by it. */

export const momentOf = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`;

/** Administrators who have the owner role and can sign in. */
export const activeOwners: SQL = sql`select u.id from users u
  where u.is_admin and not u.is_blocked and u.closed_at is null
    and exists (select from user_roles r where r.user_id = u.id and r.role = 'owner')`;

/**
 * Part of every transaction that changes who is an active owner: ends the terms of those who no longer are, and begins
 * those of the new. An owner whose term was forgotten doesn't count as a second person, yet nobody is alone beside
 * them; a term that wasn't ended keeps others from acting alone, too. The self-check finds both. With the first owner
 * the set-up's codes go.
 */
export async function keepOwnerTerms(tx: Tx, at: Date): Promise<void> {
  const now = momentOf(at);
  await tx.execute(sql`update owner_terms set until = greatest(since, ${now})
    where until is null and user_id not in (${activeOwners})`);
  await tx.execute(sql`insert into owner_terms (user_id, since) select owner.id, ${now} from (${activeOwners}) owner
    where not exists (select from owner_terms t where t.user_id = owner.id and t.until is null)`);
  await tx.execute(sql`delete from setup_codes where exists (${activeOwners})`);
}

/** Returns true if the site ever had an owner, active or not. */
export async function everHadOwner(db: DbOrTx): Promise<boolean> {
  const [found] = await rows<{ had: boolean }>(
    db,
    sql`select exists (select from owner_terms) or exists (select from user_roles where role = 'owner') as had`,
  );
  return found?.had ?? false;
}

/**
 * The terms of owners that stand, or ended within a week before `now`. An owner whose term was forgotten has one that
 * begins and ends now.
 */
export const recentTerms = (now: SQL): SQL => sql`
  select user_id, since, until from owner_terms
  where until is null or until > ${now} - ${ownerLimits.aloneHours}::int * interval '1 hour'
  union all select id, ${now}, ${now} from (${activeOwners}) owner
  where not exists (select from owner_terms t where t.user_id = owner.id and t.until is null)`;
