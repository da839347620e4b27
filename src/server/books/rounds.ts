import { sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { AppError } from "#server/platform/errors.ts";
import { atLeastNothing, type Kobo } from "#shared/money.ts";
import { farmReleaseTexts as texts } from "#shared/payouts/releases-texts.ts";
import { roundReturnTexts } from "#shared/payouts/returns-texts.ts";
import type { RoundOutcome } from "#shared/projects/texts.ts";

/** The money of a round: what it is owed, and what of it went to its farm or back to its backers. */

type Round = { projectId: number; round: number };
type RoundMoney = {
  round: number;
  outcome: RoundOutcome;
  /** The money owed to the round that is neither released nor returned. */
  owedKobo: Kobo;
  /** The money that went to the farm, less what it paid back. */
  releasedKobo: Kobo;
  /** The money that went back to the round's backers. */
  returnedKobo: Kobo;
  /** The approved money that no statement shows: on its way, or taken back. */
  unseenKobo: Kobo;
  /** The owed money that has arrived: only that can be released or returned. */
  releasableKobo: Kobo;
};

/** The money of a project's rounds that have any, from the ledger. */
export async function readRounds(db: DbOrTx, { projectId }: { projectId: number }): Promise<RoundMoney[]> {
  type Row = { round: number; outcome: RoundOutcome; owed: string; gone: string; returned: string; unseen: string };
  const found = await rows<Row>(
    db,
    sql`select sums.round, r.outcome, sums.owed::text as owed, sums.gone::text as gone, (
          select coalesce(sum(amount_kobo), 0) from round_returns b
          where b.project_id = ${projectId} and b.round = sums.round and b.taken_back_at is null
        )::text as returned,
        (select coalesce(sum(e.amount_kobo), 0) from ledger_entries e join ledger_transactions a on a.payment_id = e.payment_id
          where e.account in ('in_transit', 'receivable') and a.kind = 'approval' and a.project_id = ${projectId}
            and a.round = sums.round and not exists (select from ledger_transactions r where r.reverses_id = a.id)
        )::text as unseen
      from (
        select round, -sum(amount_kobo) as owed,
          coalesce(sum(amount_kobo) filter (where account = 'farm_released'), 0) as gone
        from ledger_entries
        where account in ('project_funding', 'farm_released') and project_id = ${projectId}
        group by round
      ) sums left join project_rounds r on r.project_id = ${projectId} and r.round = sums.round
      where sums.owed <> 0 or sums.gone <> 0
      order by sums.round`,
  );
  return found.map(({ round, outcome, owed, gone, returned, unseen }) => {
    const owedKobo = BigInt(owed);
    const returnedKobo = BigInt(returned);
    const releasedKobo = BigInt(gone) - returnedKobo;
    const unseenKobo = BigInt(unseen);
    const seenKobo = owedKobo - unseenKobo;
    const releasableKobo = atLeastNothing(seenKobo);
    return { round, outcome, owedKobo, releasedKobo, returnedKobo, unseenKobo, releasableKobo };
  });
}

const none = { owedKobo: 0n, releasedKobo: 0n, returnedKobo: 0n, releasableKobo: 0n };

/** Reads the money of one round. For a decision the caller has locked the project. */
export async function readRoundMoney(db: DbOrTx, { projectId, round }: Round) {
  return (await readRounds(db, { projectId })).find((one) => one.round === round) ?? none;
}

/**
 * Refuses to take an approval back whose money went to the farm, or of whose round money was returned: less than
 * nothing would be owed to the round, the farm would have money of others that hasn't arrived, or a backer would get a
 * part of it twice. `unseenKobo` is what of the approval itself no statement shows.
 */
export async function requireNotReleased(
  db: DbOrTx,
  { amountKobo, unseenKobo, ...round }: Round & { amountKobo: Kobo; unseenKobo: Kobo },
) {
  const { owedKobo, releasedKobo, returnedKobo, releasableKobo } = await readRoundMoney(db, round);
  if (returnedKobo > 0n) throw new AppError("conflict", roundReturnTexts.wentBack(returnedKobo));
  if (releasedKobo > 0n && (owedKobo < amountKobo || releasableKobo < amountKobo - unseenKobo)) {
    throw new AppError("conflict", texts.wentToFarm(releasedKobo));
  }
}
