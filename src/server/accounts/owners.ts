import { type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { AppError } from "#server/platform/errors.ts";
import { accountTexts } from "#shared/account-texts.ts";

/** Administrators who hold the owner role and can sign in. */
const activeOwners: SQL = sql`select u.id from users u
  where u.is_admin and not u.is_blocked and u.closed_at is null
    and exists (select from user_roles r where r.user_id = u.id and r.role = 'owner')`;

/**
 * Part of a transaction that takes away an owner's rights, in whatever way, before it locks anything else: holds all
 * active owners, then counts those who would be left, so that two can't go at once. Does nothing for anybody else.
 * Throws "You are the last active owner. …".
 */
export async function requireOtherOwner(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`${activeOwners} order by u.id for no key update of u`);
  const owners = await rows<{ id: string }>(tx, activeOwners);
  if (owners.length === 1 && owners[0]?.id === userId) throw new AppError("conflict", accountTexts.lastOwner);
}

/** Who is told when something changes that all owners must know. */
export async function listActiveOwners(db: DbOrTx): Promise<{ id: string; email: string; fullName: string }[]> {
  return rows(
    db,
    sql`select id, email, full_name as "fullName" from users where id in (${activeOwners}) order by email`,
  );
}
