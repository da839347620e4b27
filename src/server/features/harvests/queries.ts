import { and, asc, desc, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { harvestCosts, harvestFiles, harvestParts, harvestSales, harvests } from "#server/db/schema/harvests.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { settlementParts, settlements } from "#server/db/schema/settlements.ts";
import { users } from "#server/db/schema/users.ts";
import { findCostShare } from "#server/features/harvests/choosing/cost-share.ts";
import { allotHarvest } from "#server/features/harvests/choosing/current-shares.ts";
import { sumParts } from "#server/features/harvests/choosing/parts.ts";
import { readWeights } from "#server/features/harvests/choosing/weights.ts";
import { readCostsAtEnd } from "#server/features/harvests/settling/end-harvest.ts";
import { findCostsRefusal, findFinishRefusal, findRestRefusal } from "#server/features/harvests/settling/finish.ts";
import { isCountedCost, takenOfCost } from "#server/features/harvests/settling/open-costs.ts";
import { readPoolProceeds } from "#server/features/harvests/settling/pool.ts";
import { listUnseenOfRound } from "#server/features/payments/review/queries.ts";
import { findTaxRates } from "#server/features/settings/queries.ts";
import { readVariantKey } from "#server/files/photo-files.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { plannedAt } from "#shared/harvests/plan.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { harvestPhotoPath } from "#shared/photos.ts";
import { awayOfSale, matchedOfSale } from "./arrivals.ts";
import { findNextPlace, type Harvest, plannedOf, readTerms } from "./harvest-rows.ts";

/** Administrators read all of a harvest, backers their own part. */

/** The files of harvests, oldest first; the address is for whoever may read the harvest. */
export async function readFiles(db: DbOrTx, harvestIds: number[]) {
  if (harvestIds.length === 0) return [];
  const found = await db
    .select({
      id: harvestFiles.id,
      harvestId: harvestFiles.harvestId,
      purpose: harvestFiles.purpose,
      costId: harvestFiles.costId,
      saleId: harvestFiles.saleId,
      name: storedFiles.originalName,
      contentType: storedFiles.contentType,
      storageKey: storedFiles.storageKey,
    })
    .from(harvestFiles)
    .innerJoin(storedFiles, eq(storedFiles.id, harvestFiles.fileId))
    .where(inArray(harvestFiles.harvestId, harvestIds))
    .orderBy(asc(harvestFiles.id));
  return found.map(({ storageKey, ...file }) => {
    const photo = readVariantKey(storageKey);
    return { ...file, url: photo ? harvestPhotoPath(file.id, photo.width) : `/files/harvests/${file.id}` };
  });
}

/** The costs of a harvest that stand, with what settlements have taken of each. */
export async function readCosts(db: DbOrTx, ofHarvest: number) {
  const takenKobo = sql`${takenOfCost}::bigint`.mapWith(harvestCosts.amountKobo);
  const { id, harvestId, label, amountKobo, paidBy, createdAt } = harvestCosts;
  const isCounted = sql<boolean>`${isCountedCost}`;
  return db
    .select({ id, harvestId, label, amountKobo, paidBy, createdAt, takenKobo, isCounted })
    .from(harvestCosts)
    .where(and(eq(harvestId, ofHarvest), isNull(harvestCosts.removedAt)))
    .orderBy(asc(id));
}

/** The sales of a harvest that stand, with what has arrived of each. */
async function readSales(db: DbOrTx, ofHarvest: number) {
  const matchedKobo = sql`${matchedOfSale}::bigint`.mapWith(harvestSales.amountKobo);
  /** The amount that the bank took back after it was settled, and that may still come again. */
  const receivableKobo = sql`(${awayOfSale} - ${harvestSales.lostKobo})::bigint`.mapWith(harvestSales.amountKobo);
  const { id, harvestId, pool, buyer, quantity, amountKobo, createdAt, declaredAt, takenBackAt, lostKobo } =
    harvestSales;
  const sale = { id, harvestId, pool, buyer, quantity, amountKobo, createdAt, declaredAt, takenBackAt, lostKobo };
  return db
    .select({ ...sale, matchedKobo, receivableKobo })
    .from(harvestSales)
    .where(and(eq(harvestId, ofHarvest), isNull(harvestSales.removedAt)))
    .orderBy(asc(id));
}

const settledColumns = {
  id: settlements.id,
  harvestId: settlements.harvestId,
  number: settlements.number,
  pool: settlements.pool,
  proceedsKobo: settlements.proceedsKobo,
  costsKobo: settlements.costsKobo,
  farmCostsKobo: settlements.farmCostsKobo,
  farmKobo: settlements.farmKobo,
  netKobo: settlements.netKobo,
  feeKobo: settlements.feeKobo,
  vatKobo: settlements.vatKobo,
  whtKobo: settlements.whtKobo,
  feeRate: settlements.feeRate,
  vatRate: settlements.vatRate,
  whtRate: settlements.whtRate,
  createdAt: settlements.createdAt,
  reversedAt: settlements.reversedAt,
  reversedReason: settlements.reversedReason,
} as const;

async function readSettlements(db: DbOrTx, ofHarvest: number) {
  const canBeReversed = sql<boolean>`${settlements.reversedAt} is null and not exists (
    select from payouts p where p.settlement_id = ${settlements.id} and p.state not in ('waiting', 'due', 'failed', 'cancelled'))`;
  return db
    .select({ ...settledColumns, canBeReversed, settledByName: users.fullName })
    .from(settlements)
    .innerJoin(users, eq(users.id, settlements.settledBy))
    .where(eq(settlements.harvestId, ofHarvest))
    .orderBy(asc(settlements.id));
}

/**
 * The harvests of a project in a few words each, newest first, and the rounds that may have one. A farm may have sixty
 * of them, so that all else comes one by one.
 */
export async function listHarvests({ db }: ActorContext, { projectId }: { projectId: number }) {
  const { id, round, number, isInsurance, state, quantity } = harvests;
  const found = await db
    .select({ id, round, number, isInsurance, state, quantity })
    .from(harvests)
    .where(eq(harvests.projectId, projectId))
    .orderBy(desc(round), desc(number));
  return { rounds: await readRounds(db, projectId), harvests: found };
}

/** Reads one harvest for administrators, with the sums of its parts. Throws "not_found". */
export async function describeHarvest({ db, clock }: ActorContext, { harvestId }: { harvestId: number }) {
  const [harvest] = await db.select().from(harvests).where(eq(harvests.id, harvestId));
  if (!harvest) throw new AppError("not_found", texts.gone);
  const unsettledKobo: Record<"sold" | "uncollected", Kobo> = {
    sold: await readPoolProceeds(db, harvestId, "sold"),
    uncollected: await readPoolProceeds(db, harvestId, "uncollected"),
  };
  const costsAtEnd = await readCostsAtEnd(db, harvest);
  const isUnopened = harvest.state === "draft" && !harvest.isInsurance;
  const unseen = isUnopened ? await listUnseenOfRound(db, harvest) : [];
  return {
    ...harvest,
    planned: plannedOf(harvest, await readTerms(db, harvest)),
    ...(await sumParts(db, harvest)),
    files: await readFiles(db, [harvestId]),
    costs: await readCosts(db, harvestId),
    sales: await readSales(db, harvestId),
    settlements: await readSettlements(db, harvestId),
    unsettledKobo,
    costsAtEnd,
    /** Before it opens, the payments of its round that the bank doesn't wholly show. Opening then takes two owners. */
    unseen: unseen.map(({ userId: _, ...payment }) => payment),
    /**
     * The reasons why an owner can't finish it, and why two can't book its costs as a loss or declare its rest as lost.
     */
    finishRefusal: await findFinishRefusal(db, harvest, costsAtEnd),
    costsRefusal: await findCostsRefusal(db, harvest, costsAtEnd),
    restRefusal: await findRestRefusal(db, harvest),
    now: clock.now(),
  };
}

/** The funded rounds of a project, with what their terms plan. */
async function readRounds(db: DbOrTx, projectId: number) {
  const funded = await db
    .select({ round: projectRounds.round })
    .from(projectRounds)
    .where(and(eq(projectRounds.projectId, projectId), eq(projectRounds.outcome, "funded")))
    .orderBy(desc(projectRounds.round));
  const found = [];
  for (const { round } of funded) {
    const terms = await readTerms(db, { projectId, round });
    const weights = await readWeights(db, { projectId, round });
    const { unit, plannedPriceKobo, farmPartRate, deductibleCosts, feeRate } = terms;
    const { options, collectionPlace, choiceDays, collectionDays, insurance } = terms;
    found.push({
      round,
      unit,
      nextPlanned: plannedAt(terms, await findNextPlace(db, { projectId, round })),
      plannedPriceKobo,
      farmPartRate,
      deductibleCosts,
      feeRate,
      options,
      collectionPlace,
      choiceDays,
      collectionDays,
      insurance,
      backers: weights.length,
    });
  }
  return found;
}

/**
 * A backer's own part of each harvest of a farm, newest first: what they may choose, what was allotted, and what each
 * settlement gave. Drafts aren't shown.
 */
export async function listMyHarvests({ db, actor, clock }: ActorContext, { projectId }: { projectId: number }) {
  const found = await db
    .select({ harvest: harvests, part: harvestParts })
    .from(harvests)
    .innerJoin(harvestParts, and(eq(harvestParts.harvestId, harvests.id), eq(harvestParts.userId, actor.id)))
    .where(and(eq(harvests.projectId, projectId), ne(harvests.state, "draft")))
    .orderBy(desc(harvests.round), desc(harvests.number));
  const insured = await db
    .select({ harvest: harvests })
    .from(harvests)
    .where(
      and(
        eq(harvests.projectId, projectId),
        eq(harvests.isInsurance, true),
        sql`exists (select from settlement_parts p join settlements s on s.id = p.settlement_id
          where s.harvest_id = ${harvests.id} and s.reversed_at is null and p.user_id = ${actor.id})`,
      ),
    );
  const ids = [...found, ...insured].map(({ harvest }) => harvest.id);
  const files = (await readFiles(db, ids)).filter(({ purpose }) => purpose === "harvest");
  const settled = await readMySettlements(db, ids, actor.id);
  const taxes = await findTaxRates(db);
  const now = clock.now();
  const listed = [];
  for (const { harvest, part } of [...found, ...insured.map(({ harvest: one }) => ({ harvest: one, part: null }))]) {
    const terms = await readTerms(db, harvest);
    listed.push({
      ...pickHarvest(harvest),
      /** By which the reader's days are counted. */
      now,
      unit: terms.unit,
      options: terms.options,
      collectionPlace: terms.collectionPlace,
      deductibleCosts: terms.deductibleCosts,
      costShare: await findCostShare(db, harvest, terms),
      feeRate: terms.feeRate,
      /** As a settlement of now would have them. */
      ...taxes,
      planned: plannedOf(harvest, terms),
      insurance: terms.insurance,
      mine: part && (await readMine(db, harvest, part)),
      files: files.filter(({ harvestId }) => harvestId === harvest.id),
      settlements: settled.filter(({ harvestId }) => harvestId === harvest.id),
    });
  }
  return listed;
}

const pickHarvest = ({
  id,
  round,
  number,
  isInsurance,
  state,
  quantity,
  lostQuantity,
  referencePriceKobo,
  note,
  ...dates
}: Harvest) => ({
  id,
  round,
  number,
  isInsurance,
  state,
  quantity,
  lostQuantity,
  referencePriceKobo,
  note,
  choosesUntil: dates.choosesUntil,
  collectsUntil: dates.collectsUntil,
  openedAt: dates.openedAt,
  restLostReason: dates.restLostReason,
});

async function readMine(db: DbOrTx, harvest: Harvest, part: typeof harvestParts.$inferSelect) {
  const { chosenAt, code, collectedAt, uncollectedAt, weightKobo, struckKobo } = part;
  const kept = { chosenAt, code, collectedAt, uncollectedAt, weightKobo, struckKobo };
  const { quantity, taken, given, sold } = part;
  if (quantity !== null && taken !== null && given !== null && sold !== null) {
    return { ...kept, quantity, taken, given, sold };
  }
  if (harvest.state === "lost") return { ...kept, quantity: 0n, taken: 0n, given: 0n, sold: 0n };
  const { rows: allotted } = await allotHarvest(db, harvest, await readTerms(db, harvest));
  const now = allotted.find(({ backingId }) => backingId === part.backingId);
  return {
    ...kept,
    quantity: now?.quantity ?? 0n,
    taken: now?.taken ?? 0n,
    given: now?.given ?? 0n,
    sold: now?.sold ?? 0n,
  };
}

/** A person's line in each settlement, with the sums of the settlement. */
async function readMySettlements(db: DbOrTx, harvestIds: number[], userId: string) {
  if (harvestIds.length === 0) return [];
  const { weight, shareKobo, feeKobo, vatKobo, whtKobo, netKobo } = settlementParts;
  const whole = sql`${settlements.farmQuantity} + (select sum(p.weight) from settlement_parts p
    where p.settlement_id = ${settlements.id})`.mapWith(settlements.farmQuantity);
  /** The part that isn't paid, because a payment of theirs was struck before it was sent. */
  const struckKobo = sql`(select coalesce(sum(k.net_kobo), 0)::bigint from settlement_strikes k
    where k.settlement_id = ${settlements.id} and k.backing_id = ${settlementParts.backingId})`.mapWith(netKobo);
  return db
    .select({
      ...settledColumns,
      whole,
      mine: { struckKobo, weight, shareKobo, feeKobo, vatKobo, whtKobo, netKobo },
    })
    .from(settlements)
    .innerJoin(
      settlementParts,
      and(eq(settlementParts.settlementId, settlements.id), eq(settlementParts.userId, userId)),
    )
    .where(and(inArray(settlements.harvestId, harvestIds), isNull(settlements.reversedAt)))
    .orderBy(asc(settlements.id));
}

type FileReader = { harvestFileId: number; userId: string; mayView: boolean; keptFarmIds: number[] };

/**
 * The file, if the person manages harvests; keeps the farm that ran the round, and it is of the harvest or of a cost that the
 * farm paid; or has a part in this harvest or its insurer's sum and it isn't a draft. Otherwise undefined.
 */
export async function findReadableFile(db: DbOrTx, { harvestFileId, userId, mayView, keptFarmIds }: FileReader) {
  const isOfKeptFarm =
    keptFarmIds.length === 0
      ? sql`false`
      : sql`not h.is_insurance and (f.purpose = 'harvest' or exists (
            select from harvest_costs c where c.id = f.cost_id and c.paid_by = 'farm'))
          and exists (select from project_rounds r
            where r.project_id = h.project_id and r.round = h.round and r.farm_id in ${keptFarmIds})`;
  const [found] = await rows<{ key: string; contentType: string; originalName: string }>(
    db,
    sql`select s.storage_key as key, s.content_type as "contentType", s.original_name as "originalName"
      from harvest_files f join stored_files s on s.id = f.file_id join harvests h on h.id = f.harvest_id
      where f.id = ${harvestFileId} and (${mayView} or (${isOfKeptFarm}) or (f.purpose = 'harvest' and h.state <> 'draft' and (
        exists (select from harvest_parts p where p.harvest_id = h.id and p.user_id = ${userId})
        or exists (select from settlement_parts p join settlements t on t.id = p.settlement_id
          where t.harvest_id = h.id and t.reversed_at is null and p.user_id = ${userId}))))`,
  );
  return found;
}
