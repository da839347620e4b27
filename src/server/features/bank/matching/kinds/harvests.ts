import { sql } from "drizzle-orm";
import { postSaleArrival } from "#server/books/events/harvests.ts";
import { postAgainst, transactionOf } from "#server/books/events/matches.ts";
import { rows, type Tx } from "#server/db/open.ts";
import type { Match, Matcher } from "#server/features/bank/matching/match-rows.ts";
import { requireMissing, requireUnsettled } from "#server/features/harvests/arrivals.ts";
import { findSecondPersonAmount } from "#server/features/settings/queries.ts";
import { AppError } from "#server/platform/errors.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { harvestLineTexts, wallTexts } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { type Given, type MatchKind, partKind } from "./kind.ts";

/** Money of a harvest: of its sales, and of costs that the platform paid. */

type SaleMoney = Extract<LinePart, { kind: "sale" }>;
type PostedSale = { match: Match; sale: { id: number; harvestId: number }; isUndone: boolean };

/** Money of a sale: at most what is missing of it. */
export const salePart = partKind({
  makes: "sale",
  explains: "money_in",
  lock: ({ saleId }: SaleMoney) => ({ saleIds: [saleId] }),
  require: (tx, { part, places }: Given<SaleMoney>) => requireMissing(tx, places, part),
  matches: (_given, sale) => [{ kind: "sale", saleId: sale.id }],
  post: async (tx, by, { meant: sale, made }) => {
    for (const match of made) await postSale(tx, by, { match, sale, isUndone: false });
  },
});

export const saleKind: MatchKind = {
  undo: async (tx, ctx, { match, places }) => {
    const sale = await requireUnsettled(tx, places, match.saleId ?? 0);
    // Two owners have declared only what this line didn't show.
    if (sale.declaredAt !== null && match.createdAt <= sale.declaredAt) {
      throw new AppError("conflict", harvestLineTexts.declared);
    }
    await postSale(tx, ctx, { match, sale, isUndone: true });
  },
};

async function postSale(
  tx: Tx,
  by: Pick<Matcher, "clock" | "actor">,
  { match, sale, isUndone }: PostedSale,
): Promise<void> {
  const { lineId, amountKobo } = match;
  await postSaleArrival(tx, {
    transaction: transactionOf(by, match, isUndone),
    saleId: sale.id,
    harvestId: sale.harvestId,
    lineId,
    byKobo: isUndone ? -amountKobo : amountKobo,
  });
}

/** A cost of a harvest that the platform paid. */
export const harvestCostPart = partKind({
  makes: "harvest_cost",
  explains: "money_out",
  lock: ({ harvestId }: Extract<LinePart, { kind: "harvest_cost" }>) => ({ harvestIds: [harvestId] }),
  sum: "own_money",
  require: async () => null,
  needsOfSum: async (tx) => {
    const limitKobo = await findSecondPersonAmount(tx);
    const sumKobo = await sumUnwrittenCosts(tx);
    return sumKobo >= limitKobo ? [wallTexts.harvestCosts(sumKobo, limitKobo)] : [];
  },
  matches: ({ part }) => [{ kind: "harvest_cost", harvestId: part.harvestId }],
  post: async (tx, by, { made }) => {
    for (const match of made)
      await postAgainst(tx, by, { match, account: "harvest_costs", isOut: true, isUndone: false });
  },
});

/** Sums what single owners explained as costs of harvests, beyond what is written down of each as paid by the platform. */
async function sumUnwrittenCosts(tx: Tx): Promise<Kobo> {
  const [sum] = await rows<{ kobo: string }>(
    tx,
    sql`select coalesce(sum(greatest(seen.kobo - coalesce((
        select sum(c.amount_kobo) from harvest_costs c
        where c.harvest_id = seen.harvest_id and c.paid_by = 'platform' and c.removed_at is null), 0), 0)), 0)::text as kobo
      from (
        select harvest_id, sum(amount_kobo) as kobo from line_matches
        where kind = 'harvest_cost' and undone_at is null and request_id is null group by harvest_id
      ) seen`,
  );
  return BigInt(sum?.kobo ?? 0);
}

export const harvestCostKind: MatchKind = {
  undo: (tx, ctx, { match }) => postAgainst(tx, ctx, { match, account: "harvest_costs", isOut: true, isUndone: true }),
};
