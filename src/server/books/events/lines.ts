import { sql } from "drizzle-orm";
import { lockBank } from "#server/books/locks.ts";
import { post } from "#server/books/post.ts";
import type { Tx } from "#server/db/open.ts";
import type { Kobo } from "#shared/money.ts";

/** The postings of an import, and of voiding its lines. The caller has locked the own account. */

type Posting = { ownAccountId: number; actorId: string; at: Date };

/** Opens an own account with the balance before its first line. */
export async function postOpening(
  tx: Tx,
  { ownAccountId, openingKobo, actorId, at }: Posting & { openingKobo: Kobo },
): Promise<void> {
  await lockBank(tx, "alone");
  await post(tx, { kind: "opening", ownAccountId, actorId, createdAt: at }, [
    { account: "bank", ownAccountId, amountKobo: openingKobo },
    { account: "opening", ownAccountId, amountKobo: -openingKobo },
  ]);
}

/** Takes an account's opening back. */
export async function postVoidedOpening(
  tx: Tx,
  { ownAccountId, openingKobo, actorId, at }: Posting & { openingKobo: Kobo },
): Promise<void> {
  await lockBank(tx, "alone");
  await post(tx, { kind: "voided_opening", ownAccountId, actorId, createdAt: at }, [
    { account: "bank", ownAccountId, amountKobo: -openingKobo },
    { account: "opening", ownAccountId, amountKobo: openingKobo },
  ]);
}

/** Takes back what the lines of a void posted. No match of them stands. */
export async function postVoidedLines(
  tx: Tx,
  { voidId, ownAccountId, actorId, at }: Posting & { voidId: number },
): Promise<void> {
  await tx.execute(sql`
    with posted as (
      insert into ledger_transactions (kind, line_id, actor_id, created_at)
      select 'voided_line', id, ${actorId}::uuid, ${at.toISOString()}::timestamptz from statement_lines
      where void_id = ${voidId} order by position
      returning id, line_id
    )
    insert into ledger_entries (transaction_id, account, own_account_id, line_id, amount_kobo)
    select p.id, side.account, side.own_account_id, side.line_id, side.amount_kobo
    from posted p join statement_lines l on l.id = p.line_id cross join lateral (values
      ('bank', ${ownAccountId}::bigint, null, -l.amount_kobo),
      (case when l.amount_kobo > 0 then 'unmatched_in' else 'unmatched_out' end, null, l.id, l.amount_kobo)
    ) as side (account, own_account_id, line_id, amount_kobo)`);
}

/** Posts each line of a statement once: to the own account, against what nothing explains yet. */
export async function postLines(
  tx: Tx,
  { ownAccountId, statementId, actorId, at }: Posting & { statementId: number },
): Promise<void> {
  await tx.execute(sql`
    with posted as (
      insert into ledger_transactions (kind, line_id, actor_id, created_at)
      select 'line', id, ${actorId}::uuid, ${at.toISOString()}::timestamptz from statement_lines
      where own_account_id = ${ownAccountId} and statement_id = ${statementId} order by position
      returning id, line_id
    )
    insert into ledger_entries (transaction_id, account, own_account_id, line_id, amount_kobo)
    select p.id, side.account, side.own_account_id, side.line_id, side.amount_kobo
    from posted p join statement_lines l on l.id = p.line_id cross join lateral (values
      ('bank', l.own_account_id, null, l.amount_kobo),
      (case when l.amount_kobo > 0 then 'unmatched_in' else 'unmatched_out' end, null, l.id, -l.amount_kobo)
    ) as side (account, own_account_id, line_id, amount_kobo)`);
}
