import { desc, type SQL, sql } from "drizzle-orm";
import { type DbOrTx, inTransaction, rows } from "#server/db/open.ts";
import { ledgerHeads } from "#server/db/schema/ledger-heads.ts";
import type { Deps } from "#server/platform/deps.ts";
import type { BooksHead } from "#shared/papers/texts.ts";
import { lockLedger } from "./locks.ts";

/**
 * The chain of the ledger: each head is the sha256 of the one before it and of the entries since. Papers print the last
 * head before them, so a ledger that is rewritten later contradicts papers in other people's hands.
 *
 * Hashed is UTF-8: the previous hash in hexadecimal letters (nothing for the first head) and a line feed, then each
 * entry in the order of its id as one line that ends with a line feed. Its values stand in the order below, separated
 * by "|", nothing for null. The moment is in UTC, as 2026-11-28T13:05:00.000Z. scripts/verify-ledger.mjs does the same
 * from the export.
 */
const canonicalValues = [
  "e.id",
  "e.transaction_id",
  `to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  "t.kind",
  "e.account",
  "e.amount_kobo",
  "coalesce(e.payment_id, t.payment_id)",
  "coalesce(e.project_id, t.project_id)",
  "coalesce(e.round, t.round)",
  "coalesce(e.user_id, t.user_id)",
  "e.own_account_id",
  "e.line_id",
  "t.match_id",
  "coalesce(e.payout_id, t.payout_id)",
  "coalesce(e.harvest_id, t.harvest_id)",
  "t.settlement_id",
  "coalesce(e.sale_id, t.sale_id)",
  "t.release_id",
  "t.return_id",
  "t.holder_change_id",
  "t.reverses_id",
  "t.actor_id",
];

/** The line of an entry `e` of the transaction `t`. */
const canonicalLine = sql.raw(
  `array_to_string(array[${canonicalValues.map((value) => `(${value})::text`).join(", ")}], '|', '')`,
);

/** The hash of a hash before, and of entries `e` of transactions `t`, which are grouped. */
export const hashAfter = (previous: SQL): SQL =>
  sql`encode(sha256(convert_to(coalesce(${previous}, '') || chr(10) || coalesce(string_agg(${canonicalLine} || chr(10), '' order by e.id) filter (where e.id is not null), ''), 'UTF8')), 'hex')`;

/** The most entries that one head covers: a ledger that never had one gets several at once. */
const maxEntries = 10_000;

/**
 * The hourly job: writes heads up to the last entry below which none can be committed any more. It reads the entries
 * since the last.
 */
export async function writeHeads({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> {
  const upTo = await inTransaction(db, async (tx) => {
    await lockLedger(tx);
    const [found] = await rows<{ id: string | null }>(tx, sql`select max(id) as id from ledger_entries`);
    return Number(found?.id ?? 0);
  });
  while (await writeHead(db, { upTo, at: clock.now() })) {
    // Each has entries of its own, so the last comes.
  }
}

/** Gives false where all entries have their head, or another process wrote the same one. */
async function writeHead(db: DbOrTx, { upTo, at }: { upTo: number; at: Date }): Promise<boolean> {
  const written = await rows(
    db,
    sql`with last as (select n, hash, last_entry_id from ledger_heads order by n desc limit 1),
      e as (select * from ledger_entries
        where id > coalesce((select last_entry_id from last), 0) and id <= ${upTo} order by id limit ${maxEntries})
      insert into ledger_heads (n, last_entry_id, hash, created_at)
      select coalesce((select n from last), 0) + 1, max(e.id), ${hashAfter(sql`(select hash from last)`)}, ${at.toISOString()}::timestamptz
      from e join ledger_transactions t on t.id = e.transaction_id having count(*) > 0
      on conflict do nothing returning n`,
  );
  return written.length > 0;
}

/** The last head, which a paper of this moment prints; null while there is none. */
export async function readLastHead(db: DbOrTx): Promise<BooksHead | null> {
  const [last] = await db
    .select({ n: ledgerHeads.n, hash: ledgerHeads.hash })
    .from(ledgerHeads)
    .orderBy(desc(ledgerHeads.n))
    .limit(1);
  return last ?? null;
}

/**
 * Each head (n, hash), its place, and what the ledger of today gives for it. An entry looks its head up, because
 * looking up the entries of each head would read all transactions as often as there are heads.
 */
export const recomputedHeads = sql`
  select h.n, h.hash, h.place, ${hashAfter(sql`h.previous`)} as recomputed
  from (select n, hash, last_entry_id, row_number() over (order by n) as place, lag(hash) over (order by n) as previous
      from ledger_heads) h
    left join (ledger_entries e join ledger_transactions t on t.id = e.transaction_id)
      on h.last_entry_id = (select min(last_entry_id) from ledger_heads where last_entry_id >= e.id)
  group by h.n, h.hash, h.place, h.previous`;

/** The first head that the ledger of today doesn't give; null if it gives all. It reads the whole ledger. */
export async function findBrokenHead(db: DbOrTx): Promise<number | null> {
  const [found] = await rows<{ n: number | null }>(
    db,
    sql`select min(n) as n from (${recomputedHeads}) h where hash <> recomputed or n <> place`,
  );
  return found?.n ?? null;
}
