import { sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { findHomeFiguresChoice } from "#server/features/settings/queries.ts";
import type { HomeFiguresChoice } from "#shared/settings/texts.ts";
import { decidedRoundsNeeded } from "#shared/site/home-texts.ts";

/** The figures of the home page: computed from the books, claimed by the operator, or none. */

export type HomeFigure = { figure: string; label: string };

const labels = {
  rate: "funding success rate for projects that reach 60% of their goal",
  raised: "raised",
} as const;

/** The claims of the specification's marketing copy, to the letter. */
const claimedFigures: readonly HomeFigure[] = [
  { figure: "150+", label: "backers" },
  { figure: "50+", label: "successful projects" },
  { figure: "₦100M+", label: labels.raised },
  { figure: "93%", label: labels.rate },
];

/** The figures that visitors see; none where they are switched off, or too few rounds are decided. */
export async function findShownFigures(db: DbOrTx): Promise<readonly HomeFigure[]> {
  const choice = await findHomeFiguresChoice(db);
  return choice === "none" ? [] : (await previewFigures(db, choice)).figures;
}

/** Previews the figures that visitors would see with a choice, and counts the decided rounds. */
export async function previewFigures(
  db: DbOrTx,
  choice: Exclude<HomeFiguresChoice, "none">,
): Promise<{ figures: readonly HomeFigure[]; decided: number | null }> {
  if (choice === "claimed") return { figures: claimedFigures, decided: null };
  const decided = await countDecided(db);
  return { figures: decided < decidedRoundsNeeded ? [] : figuresOf(await compute(db)), decided };
}

async function countDecided(db: DbOrTx): Promise<number> {
  const [row] = await rows<{ decided: number }>(
    db,
    sql`select count(*)::int as decided from project_rounds where outcome is not null`,
  );
  return row?.decided ?? 0;
}

export type Computed = {
  backers: number;
  /** Rounds that were funded. */
  funded: number;
  raisedKobo: bigint;
  /** The decided rounds that reached 60 % of their lots, and the funded ones among them. */
  reached: number;
  reachedAndFunded: number;
};

/**
 * A payment that was struck never came, so neither it nor its backer counts. A round that was given back has no approved lots
 * any more: it had those whose approvals were reversed by the decision, at its moment, by the ledger.
 */
async function compute(db: DbOrTx): Promise<Computed> {
  const [row] = await rows<Omit<Computed, "raisedKobo"> & { raisedKobo: string }>(
    db,
    sql`with paid as (
      select p.user_id, p.project_id, p.round, p.amount_kobo from project_payments p
      where p.status = 'approved' and not exists (select from payment_strikes s where s.payment_id = p.id)
    ), decided as (
      select r.outcome, r.lots * r.lot_price_kobo as goal, r.approved_lots * r.lot_price_kobo + coalesce((
          select sum(e.amount_kobo) from ledger_transactions t
            join ledger_entries e on e.transaction_id = t.id and e.account = 'project_funding'
          where t.project_id = r.project_id and t.round = r.round and t.kind = 'reversal' and r.outcome = 'not_funded'
            and t.created_at = r.decided_at
        ), 0) as sold
      from project_rounds r where r.outcome is not null
    )
    select (select count(distinct user_id)::int from paid) as backers,
      (select coalesce(sum(paid.amount_kobo), 0)::text from paid
        join project_rounds r on r.project_id = paid.project_id and r.round = paid.round and r.outcome = 'funded'
      ) as "raisedKobo",
      count(*) filter (where outcome = 'funded')::int as funded,
      count(*) filter (where sold * 100 >= goal * 60)::int as reached,
      count(*) filter (where sold * 100 >= goal * 60 and outcome = 'funded')::int as "reachedAndFunded"
    from decided`,
  );
  if (!row) throw new Error("an aggregate gives a row");
  return { ...row, raisedKobo: BigInt(row.raisedKobo) };
}

/** The figures in words. Without a round that reached 60 % there is no rate. */
export function figuresOf({ backers, funded, raisedKobo, reached, reachedAndFunded }: Computed): HomeFigure[] {
  const figures = [
    { figure: grouped(backers), label: backers === 1 ? "backer" : "backers" },
    { figure: grouped(funded), label: funded === 1 ? "successful project" : "successful projects" },
    { figure: shortNaira(raisedKobo), label: labels.raised },
  ];
  if (reached > 0) figures.push({ figure: `${Math.floor((100 * reachedAndFunded) / reached)}%`, label: labels.rate });
  return figures;
}

const grouped = (count: number | bigint) => count.toLocaleString("en-NG");

const steps = [
  { letter: "B", naira: 1_000_000_000n },
  { letter: "M", naira: 1_000_000n },
] as const;

/** Never more than there is: "₦14.2M+" of ₦14,280,000, "₦640K+" of ₦640,900. Below a thousand naira all of them. */
function shortNaira(kobo: bigint): string {
  const naira = kobo / 100n;
  for (const step of steps) {
    if (naira < step.naira) continue;
    const tenths = (naira * 10n) / step.naira;
    const tenth = tenths % 10n === 0n ? "" : `.${tenths % 10n}`;
    return `₦${grouped(tenths / 10n)}${tenth}${step.letter}+`;
  }
  return naira >= 1000n ? `₦${naira / 1000n}K+` : `₦${naira}`;
}
