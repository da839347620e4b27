import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { lockBank, post, sumOfEntries } from "#server/features/ledger/service.ts";
import type { Kobo } from "#shared/money.ts";

/** What an import posts. The caller has locked the own account. */

type Posting = { ownAccountId: number; actorId: string; at: Date };

/**
 * Opens an own account with the balance before its first line: the ledger's `bank` becomes what the bank says. The
 * original account holds what was posted before statements; what differs from that is its opening difference.
 */
export async function postOpening(
  tx: Tx,
  { ownAccountId, isOriginal, openingKobo, actorId, at }: Posting & { isOriginal: boolean; openingKobo: Kobo },
): Promise<void> {
  await lockBank(tx, "alone");
  const ledgerKobo = isOriginal ? await sumBeforeStatements(tx, ownAccountId) : 0n;
  const amountKobo = openingKobo - ledgerKobo;
  await post(tx, { kind: "opening", ownAccountId, actorId, createdAt: at }, [
    { account: "bank", ownAccountId, amountKobo },
    { account: "opening_difference", ownAccountId, amountKobo: -amountKobo },
  ]);
}

/**
 * What the ledger's `bank` holds of the original account before its first statement, in kobo: postings without an account,
 * and declared arrivals, which moved from them to it.
 */
async function sumBeforeStatements(tx: Tx, originalId: number): Promise<Kobo> {
  const [sum] = await tx
    .select({ kobo: sumOfEntries() })
    .from(ledgerEntries)
    .where(
      and(
        eq(ledgerEntries.account, "bank"),
        or(isNull(ledgerEntries.ownAccountId), eq(ledgerEntries.ownAccountId, originalId)),
      ),
    );
  return sum?.kobo ?? 0n;
}

/** Posts each line of a statement once: to the own account, against what nothing explains yet. */
export async function postLines(
  tx: Tx,
  { ownAccountId, statementId, actorId, at }: Posting & { statementId: number },
): Promise<void> {
  await lockBank(tx, "share");
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
