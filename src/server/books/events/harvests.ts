import { and, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { LedgerEntry, LedgerTransaction } from "#server/books/post.ts";
import { post } from "#server/books/post.ts";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { harvestParts, harvestSales, type harvests } from "#server/db/schema/harvests.ts";
import type { Kobo } from "#shared/money.ts";

/** The postings of harvests. The caller has locked the harvest. */

type Harvest = typeof harvests.$inferSelect;
type Posting = { actorId: string | null; at: Date };

/** A divided settlement, in kobo. Proceeds = costs + farm + net + fee + VAT + WHT. */
export type Divided = {
  id: number;
  proceedsKobo: Kobo;
  costsKobo: Kobo;
  farmCostsKobo: Kobo;
  farmKobo: Kobo;
  feeKobo: Kobo;
  vatKobo: Kobo;
  whtKobo: Kobo;
};

/** Posts a settlement, or its opposite. Each backer's net is owed to them, and the farm's part to the farm. */
export async function postSettlement(
  tx: Tx,
  kind: "settlement" | "settlement_reversed",
  {
    harvest,
    divided,
    nets,
    actorId,
    at,
  }: Posting & {
    harvest: Pick<Harvest, "id" | "projectId" | "round">;
    divided: Divided;
    nets: readonly { userId: string; netKobo: Kobo }[];
  },
): Promise<void> {
  const { id: harvestId, projectId, round } = harvest;
  const { id: settlementId, proceedsKobo, costsKobo, farmCostsKobo, farmKobo, feeKobo, vatKobo, whtKobo } = divided;
  const sign = kind === "settlement" ? 1n : -1n;
  const entries: LedgerEntry[] = [
    { account: "harvest_proceeds", harvestId, amountKobo: proceedsKobo },
    { account: "harvest_costs", harvestId, amountKobo: farmCostsKobo - costsKobo },
    { account: "farm_due", projectId, round, amountKobo: -farmKobo - farmCostsKobo },
    { account: "fee_income", amountKobo: -feeKobo },
    { account: "vat_due", amountKobo: -vatKobo },
    { account: "wht_due", amountKobo: -whtKobo },
    ...nets.map(({ userId, netKobo }) => ({
      account: "backer_due" as const,
      harvestId,
      userId,
      amountKobo: -netKobo,
    })),
  ];
  await post(
    tx,
    { kind, harvestId, settlementId, actorId, createdAt: at },
    entries.map((entry) => ({ ...entry, amountKobo: sign * entry.amountKobo })),
  );
}

/**
 * Posts that the missing money of a sale came, as two owners say, or that what no line shows of it didn't. A line that
 * shows it later moves it from there.
 */
export async function postDeclaredSale(
  tx: Tx,
  kind: "sale_declared" | "sale_taken_back",
  { saleId, harvestId, amountKobo, actorId, at }: Posting & { saleId: number; harvestId: number; amountKobo: Kobo },
): Promise<void> {
  const wayKobo = kind === "sale_declared" ? amountKobo : -amountKobo;
  await post(tx, { kind, saleId, actorId, createdAt: at }, [
    { account: "in_transit", saleId, amountKobo: wayKobo },
    { account: "harvest_proceeds", harvestId, amountKobo: -wayKobo },
  ]);
}

/**
 * Posts a line that shows money of a sale, or that the bank took it back: of a declared sale it leaves `in_transit`,
 * otherwise it goes to the proceeds. Sums are negative where money leaves the sale.
 */
export async function postSaleMoney(
  tx: Tx,
  {
    transaction,
    saleId,
    harvestId,
    lineId,
    account,
    byKobo,
    receivableKobo,
  }: {
    transaction: Pick<LedgerTransaction, "kind" | "matchId" | "actorId" | "createdAt">;
    saleId: number;
    harvestId: number;
    lineId: number;
    account: "unmatched_in" | "unmatched_out";
    byKobo: Kobo;
    /**
     * The settled part of `byKobo`: it was taken back before and comes again, or is missing from now on. The proceeds
     * stay.
     */
    receivableKobo: Kobo;
  },
): Promise<void> {
  const newKobo = byKobo - receivableKobo;
  // All money of a declared sale counts as received, so what no line shows of it is on its way.
  const wayKobo = (await isDeclared(tx, saleId)) ? newKobo : 0n;
  await post(tx, transaction, [
    { account, lineId, amountKobo: byKobo },
    { account: "in_transit", saleId, amountKobo: -wayKobo },
    { account: "receivable", saleId, amountKobo: -receivableKobo },
    { account: "harvest_proceeds", harvestId, amountKobo: wayKobo - newKobo },
  ]);
}

/** Posts that what the bank took back of a settled sale won't come again. */
export async function postSaleLost(
  tx: Tx,
  { saleId, amountKobo, actorId, at }: Posting & { saleId: number; amountKobo: Kobo },
): Promise<void> {
  await post(tx, { kind: "sale_lost", actorId, createdAt: at }, [
    { account: "receivable", saleId, amountKobo: -amountKobo },
    { account: "losses", amountKobo },
  ]);
}

async function isDeclared(db: DbOrTx, saleId: number): Promise<boolean> {
  return (await db.$count(harvestSales, and(eq(harvestSales.id, saleId), isNotNull(harvestSales.declaredAt)))) > 0;
}

/** Reads from the ledger how much the sales of a harvest brought that no settlement has divided. */
export async function readProceeds(db: DbOrTx, harvestId: number): Promise<Kobo> {
  const [found] = await rows<{ kobo: string }>(
    db,
    sql`select coalesce(-sum(amount_kobo), 0)::text as kobo from ledger_entries
      where account = 'harvest_proceeds' and harvest_id = ${harvestId}`,
  );
  return BigInt(found?.kobo ?? 0);
}

/** Reads from the ledger how much of the platform's costs of a harvest is booked as lost. */
export async function readCostsLost(db: DbOrTx, harvestId: number): Promise<Kobo> {
  const [found] = await rows<{ kobo: string }>(
    db,
    sql`select coalesce(sum(e.amount_kobo), 0)::text as kobo
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.account = 'losses'
      where t.kind = 'harvest_costs_left' and t.harvest_id = ${harvestId}`,
  );
  return BigInt(found?.kobo ?? 0);
}

/**
 * Posts the rest of the platform's costs at the end of a harvest: the farm bears it as far as it is owed something, the
 * rest is lost.
 */
export async function postCostsLeft(
  tx: Tx,
  { harvest, restKobo, farmKobo, actorId, at }: Posting & { harvest: Harvest; restKobo: Kobo; farmKobo: Kobo },
): Promise<void> {
  const { id: harvestId, projectId, round } = harvest;
  await post(tx, { kind: "harvest_costs_left", harvestId, actorId, createdAt: at }, [
    { account: "harvest_costs", harvestId, amountKobo: -restKobo },
    { account: "farm_due", projectId, round, amountKobo: farmKobo },
    { account: "losses", amountKobo: restKobo - farmKobo },
  ]);
}

/**
 * Posts the memo of produce, for the parts of a harvest that `where` chooses: ready to be collected, or its opposite when it
 * was, or wasn't in time.
 */
export async function postProduce(
  tx: Tx,
  kind: "produce_allotted" | "produce_collected" | "produce_uncollected",
  { harvestId, where, actorId, at }: Posting & { harvestId: number; where?: SQL },
): Promise<void> {
  const chosen = await tx
    .select({ userId: harvestParts.userId, produceKobo: harvestParts.produceKobo })
    .from(harvestParts)
    .where(and(eq(harvestParts.harvestId, harvestId), gt(harvestParts.produceKobo, 0n), where));
  const sign = kind === "produce_allotted" ? 1n : -1n;
  await post(
    tx,
    { kind, harvestId, actorId, createdAt: at },
    chosen.flatMap(({ userId, produceKobo }) => {
      const amountKobo = sign * (produceKobo ?? 0n);
      return [
        { account: "produce_stock" as const, harvestId, userId, amountKobo },
        { account: "produce_due" as const, harvestId, userId, amountKobo: -amountKobo },
      ];
    }),
  );
}

/** Condition of the parts whose produce still lies ready. */
export const isReady: SQL | undefined = and(
  sql`${harvestParts.code} is not null`,
  isNull(harvestParts.collectedAt),
  isNull(harvestParts.uncollectedAt),
);
