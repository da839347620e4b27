import { eq, sql } from "drizzle-orm";
import { postSaleMoney } from "#server/books/events/harvests.ts";
import { postAgainst, transactionOf } from "#server/books/events/matches.ts";
import { rows, type Tx } from "#server/db/open.ts";
import { harvestSales } from "#server/db/schema/harvests.ts";
import {
  findCredit,
  reasonsOfCredit,
  requireCredit,
  requireNotTakenBack,
} from "#server/features/bank/matching/credits.ts";
import type { Match, Matcher } from "#server/features/bank/matching/match-rows.ts";
import {
  raiseSale,
  readLossNotShown,
  requireCostsOpen,
  requireMissing,
  requireNotAgain,
  requireTakenBack,
  requireUnsettled,
  takeLossBack,
} from "#server/features/harvests/arrivals.ts";
import { findSecondPersonAmount } from "#server/features/settings/queries.ts";
import { AppError } from "#server/platform/errors.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { harvestLineTexts, wallTexts } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { type Given, partKind, requireSecondPersonIf, type Undoing } from "./kind.ts";

/** Money of a harvest: of its sales, and of costs that the platform paid. */

type SaleMoney = Extract<LinePart, { kind: "sale" }>;
type PostedSale = { match: Match; sale: { id: number; harvestId: number }; isUndone: boolean };

/** Money of a sale: at most what is missing of it, unless its amount rises with it. */
export const salePart = partKind({
  makes: "sale",
  explains: "money_in",
  names: ({ saleId }: SaleMoney) => ({ saleIds: [saleId] }),
  require: async (tx, { part, locked }: Given<SaleMoney>) => {
    const brought = await requireMissing(tx, locked, part);
    await raiseSale(tx, brought.sale, brought.raisedKobo);
    return brought;
  },
  matches: (_given, { sale, raisedKobo, receivableKobo }) => [
    { kind: "sale", saleId: sale.id, raisedKobo: raisedKobo === 0n ? null : raisedKobo, receivableKobo },
  ],
  post: async (tx, by, { target: { sale }, made }) => {
    for (const match of made) await postSale(tx, by, { match, sale, isUndone: false });
  },
});

export const saleUndoing: Undoing = {
  requireUndoing: (tx, _ctx, { match }) => requireNotTakenBack(tx, match),
  undo: async (tx, ctx, { match, locked }) => {
    const sale = await requireUnsettled(tx, locked, match.saleId ?? 0);
    // Two owners have declared only what this line didn't show.
    if (sale.declaredAt !== null && match.createdAt <= sale.declaredAt) {
      throw new AppError("conflict", harvestLineTexts.declared);
    }
    await raiseSale(tx, sale, -(match.raisedKobo ?? 0n));
    await postSale(tx, ctx, { match, sale, isUndone: true });
  },
};

/** Posts a match of a sale's money, or its opposite: a debit's takes away what a credit's brings. */
async function postSale(
  tx: Tx,
  by: Pick<Matcher, "clock" | "actor">,
  { match, sale, isUndone }: PostedSale,
): Promise<void> {
  const { kind, lineId, amountKobo, receivableKobo } = match;
  const isBack = kind === "sale_taken_back";
  const sign = isBack === isUndone ? 1n : -1n;
  await postSaleMoney(tx, {
    transaction: transactionOf(by, match, isUndone),
    saleId: sale.id,
    harvestId: sale.harvestId,
    lineId,
    account: isBack ? "unmatched_out" : "unmatched_in",
    byKobo: sign * amountKobo,
    receivableKobo: sign * (receivableKobo ?? 0n),
  });
}

type SaleTakenBack = Extract<LinePart, { kind: "sale_taken_back" }>;

/** A buyer's money that the bank took back. What was settled of it stays so, and is missing from then on. */
export const saleTakenBackPart = partKind({
  makes: "sale_taken_back",
  explains: "money_out",
  names: ({ saleId }: SaleTakenBack) => ({ saleIds: [saleId] }),
  require: async (tx, { line, part, locked }: Given<SaleTakenBack>) => {
    await requireCredit(tx, { line, part });
    return requireTakenBack(tx, locked, part);
  },
  matches: ({ part }, { receivableKobo }) => [
    { kind: "sale_taken_back", saleId: part.saleId, creditMatchId: part.creditMatchId, receivableKobo },
  ],
  post: async (tx, by, { target: { sale }, made }) => {
    for (const match of made) await postSale(tx, by, { match, sale, isUndone: false });
  },
  reasons: async (tx, { line, part, locked }) => {
    const credit = await findCredit(tx, part);
    const sale = locked.sales.get(part.saleId);
    if (!credit || !sale) return [];
    return [wallTexts.saleTakenBack(sale.buyer), ...reasonsOfCredit(line, credit)];
  },
  describe: async (db, { saleId }) => {
    const [sale] = await db.select({ buyer: harvestSales.buyer }).from(harvestSales).where(eq(harvestSales.id, saleId));
    return sale ? `Money of the sale to ${sale.buyer}` : null;
  },
  consequence: "What was settled of it stays with the farm and its backers, and is missing until the buyer pays again.",
});

export const saleTakenBackUndoing: Undoing = {
  undo: async (tx, ctx, { match, locked }) => {
    const sale = await requireNotAgain(tx, locked, match.saleId ?? 0);
    await postSale(tx, ctx, { match, sale, isUndone: true });
  },
};

/** A cost of a harvest that the platform paid. */
export const harvestCostPart = partKind({
  makes: "harvest_cost",
  explains: "money_out",
  names: ({ harvestId }: Extract<LinePart, { kind: "harvest_cost" }>) => ({ harvestIds: [harvestId] }),
  platformLock: "own_money",
  require: async (tx, { part, locked }) => requireCostsOpen(tx, locked, part),
  reasonsOfSum: async (tx) => {
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

/** Undoing takes two once unwritten costs were booked as a loss: the line may be another harvest's. */
export const harvestCostUndoing: Undoing = {
  requireUndoing: async (tx, _ctx, { match, isConfirmed }) => {
    const lossKobo = await readLossNotShown(tx, match.harvestId ?? 0);
    if (lossKobo > 0n && !isConfirmed) requireSecondPersonIf([harvestLineTexts.costsLost(lossKobo)]);
  },
  describeUndoing: async (db, { harvestId, amountKobo }) => {
    const lossKobo = await readLossNotShown(db, harvestId ?? 0, amountKobo);
    return lossKobo > 0n ? [harvestLineTexts.lossTakenBack(lossKobo)] : [];
  },
  undo: async (tx, ctx, { match, locked }) => {
    const at = ctx.clock.now();
    await takeLossBack(tx, locked, { harvestId: match.harvestId ?? 0, actorId: ctx.actor.id, at });
    await postAgainst(tx, ctx, { match, account: "harvest_costs", isOut: true, isUndone: true });
  },
};
