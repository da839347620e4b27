import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { harvestParts, harvests, roundWeights } from "#server/db/schema/harvests.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { settlementParts, settlements } from "#server/db/schema/settlements.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import { users } from "#server/db/schema/users.ts";
import { roundOfHarvest, termsOfRound } from "#server/features/projects/rounds/queries.ts";
import { shownName } from "#server/platform/names.ts";
import { projectExportFilter } from "#shared/exports/inputs.ts";
import { harvestStateLabels } from "#shared/harvests/texts.ts";
import { flag, moment, naira, quantity, text, whole, word } from "./columns.ts";
import { exportable, inPages } from "./write.ts";

/** Harvests and insurance sums of one project or of all, and who got what of them. */

/** A sum over a harvest's parts, which the allotment fixes. */
const partsSum = (column: "taken" | "given" | "sold") =>
  sql<bigint | null>`(select sum(part.${sql.raw(column)})::bigint from harvest_parts part
    where part.harvest_id = ${harvests.id})`.mapWith(harvests.quantity);

/** A sum over the settlements of a harvest that stand. */
const settledSum = (column: "proceeds" | "costs" | "farm" | "net" | "fee" | "vat" | "wht") =>
  sql<bigint>`(select coalesce(sum(settled.${sql.raw(column)}_kobo), 0)::bigint from settlements settled
    where settled.harvest_id = ${harvests.id} and settled.reversed_at is null)`.mapWith(harvests.referencePriceKobo);

const salesKobo = sql<bigint>`(select coalesce(sum(sale.amount_kobo), 0)::bigint from harvest_sales sale
    where sale.harvest_id = ${harvests.id} and sale.removed_at is null)`.mapWith(harvests.referencePriceKobo);

/** Each harvest and insurance sum with what became of it. */
export const harvestsExport = exportable({
  permissions: ["payments:view", "harvests:view"],
  filter: projectExportFilter,
  columns: {
    id: whole("Harvest"),
    projectId: whole("Project ID"),
    projectTitle: text("Project"),
    round: whole("Round"),
    number: whole("Number"),
    isInsurance: flag("Insurance"),
    state: word("State", harvestStateLabels),
    unit: text("Unit"),
    quantityThousandths: quantity("Quantity"),
    lostThousandths: quantity("Lost before"),
    farmThousandths: quantity("Farm's quantity"),
    takenThousandths: quantity("Taken"),
    givenThousandths: quantity("Donated"),
    soldThousandths: quantity("Sold for backers"),
    referencePriceKobo: naira("Price used for estimates"),
    salesKobo: naira("Sales"),
    proceedsKobo: naira("Settled"),
    costsKobo: naira("Costs"),
    farmKobo: naira("Farm"),
    netKobo: naira("Backers"),
    feeKobo: naira("Fee"),
    vatKobo: naira("VAT"),
    whtKobo: naira("Withheld tax"),
    createdAt: moment("Entered"),
    openedAt: moment("Opened"),
    choosesUntil: moment("Choices until"),
    allottedAt: moment("Shared out"),
    collectsUntil: moment("Collection until"),
    doneAt: moment("Done"),
    restLostAt: moment("Rest lost"),
    restLostReason: text("Rest lost because"),
    lostAt: moment("Declared lost"),
    withdrawnAt: moment("Withdrawn"),
    costsLostAt: moment("Costs booked as a loss"),
    note: text("Note"),
  },
  pages: (tx, { projectId }) =>
    inPages(({ after, limit }) =>
      tx
        .select({
          id: harvests.id,
          projectId: harvests.projectId,
          projectTitle: harvests.projectTitle,
          round: harvests.round,
          number: harvests.number,
          isInsurance: harvests.isInsurance,
          state: harvests.state,
          unit: roundTerms.unit,
          quantityThousandths: harvests.quantity,
          lostThousandths: harvests.lostQuantity,
          farmThousandths: harvests.farmQuantity,
          takenThousandths: partsSum("taken"),
          givenThousandths: partsSum("given"),
          soldThousandths: partsSum("sold"),
          referencePriceKobo: harvests.referencePriceKobo,
          salesKobo,
          proceedsKobo: settledSum("proceeds"),
          costsKobo: settledSum("costs"),
          farmKobo: settledSum("farm"),
          netKobo: settledSum("net"),
          feeKobo: settledSum("fee"),
          vatKobo: settledSum("vat"),
          whtKobo: settledSum("wht"),
          createdAt: harvests.createdAt,
          openedAt: harvests.openedAt,
          choosesUntil: harvests.choosesUntil,
          allottedAt: harvests.allottedAt,
          collectsUntil: harvests.collectsUntil,
          doneAt: harvests.doneAt,
          restLostAt: harvests.restLostAt,
          restLostReason: harvests.restLostReason,
          lostAt: harvests.lostAt,
          withdrawnAt: harvests.withdrawnAt,
          costsLostAt: harvests.costsLostAt,
          note: harvests.note,
        })
        .from(harvests)
        .innerJoin(projectRounds, roundOfHarvest)
        .innerJoin(roundTerms, termsOfRound)
        .where(and(gt(harvests.id, after), projectId ? eq(harvests.projectId, projectId) : undefined))
        .orderBy(asc(harvests.id))
        .limit(limit),
    ),
});

type MoneyOfPart = "shareKobo" | "feeKobo" | "vatKobo" | "whtKobo" | "netKobo";

/** Reads the parts of a harvest or an insurance sum, each with the sums of standing settlements for it. */
function readParts(tx: Tx, harvestId: number) {
  const part = tx.select().from(harvestParts).where(eq(harvestParts.harvestId, harvestId)).as("part");
  const summed = (column: MoneyOfPart) =>
    sql`sum(${settlementParts[column]})::bigint`.mapWith(settlementParts[column]).as(column);
  const settled = tx
    .select({
      backingId: settlementParts.backingId,
      userId: settlementParts.userId,
      shareKobo: summed("shareKobo"),
      feeKobo: summed("feeKobo"),
      vatKobo: summed("vatKobo"),
      whtKobo: summed("whtKobo"),
      netKobo: summed("netKobo"),
    })
    .from(settlementParts)
    .innerJoin(settlements, eq(settlements.id, settlementParts.settlementId))
    .where(and(eq(settlements.harvestId, harvestId), isNull(settlements.reversedAt)))
    .groupBy(settlementParts.backingId, settlementParts.userId)
    .as("settled");
  const settledKobo = (column: MoneyOfPart) =>
    sql`coalesce(${settled[column]}, 0)::bigint`.mapWith(settlementParts[column]);
  const backingId = sql`coalesce(${part.backingId}, ${settled.backingId})`.mapWith(harvestParts.backingId);
  return (
    tx
      .select({
        harvestId: harvests.id,
        projectId: harvests.projectId,
        projectTitle: harvests.projectTitle,
        round: harvests.round,
        number: harvests.number,
        isInsurance: harvests.isInsurance,
        state: harvests.state,
        backingId,
        userId: users.id,
        name: shownName(users),
        weightKobo: sql`coalesce(${part.weightKobo}, ${roundWeights.weightKobo})`.mapWith(roundWeights.weightKobo),
        unit: roundTerms.unit,
        chosenAt: part.chosenAt,
        quantityThousandths: part.quantity,
        takenThousandths: part.taken,
        givenThousandths: part.given,
        soldThousandths: part.sold,
        produceKobo: part.produceKobo,
        collectedAt: part.collectedAt,
        uncollectedAt: part.uncollectedAt,
        shareKobo: settledKobo("shareKobo"),
        feeKobo: settledKobo("feeKobo"),
        vatKobo: settledKobo("vatKobo"),
        whtKobo: settledKobo("whtKobo"),
        netKobo: settledKobo("netKobo"),
      })
      .from(part)
      // Of an insurance sum nobody has a part but by its settlements.
      .fullJoin(settled, eq(settled.backingId, part.backingId))
      .innerJoin(harvests, eq(harvests.id, harvestId))
      .innerJoin(users, sql`${users.id} = coalesce(${part.userId}, ${settled.userId})`)
      .innerJoin(projectRounds, roundOfHarvest)
      .innerJoin(roundTerms, termsOfRound)
      .leftJoin(
        roundWeights,
        and(
          eq(roundWeights.projectId, harvests.projectId),
          eq(roundWeights.round, harvests.round),
          sql`${roundWeights.backingId} = ${backingId}`,
        ),
      )
      .orderBy(asc(backingId))
  );
}

/** A page for each harvest, because a round has at most a thousand lots. */
async function* pagesOfParts(tx: Tx, { projectId }: { projectId?: number | undefined }) {
  const readIds = ({ after, limit }: { after: number; limit: number }) =>
    tx
      .select({ id: harvests.id })
      .from(harvests)
      .where(and(gt(harvests.id, after), projectId ? eq(harvests.projectId, projectId) : undefined))
      .orderBy(asc(harvests.id))
      .limit(limit);
  for await (const found of inPages(readIds)) for (const { id } of found) yield await readParts(tx, id);
}

/** Each person's part of each harvest. The codes by which produce is collected stay with those who have them. */
export const harvestPartsExport = exportable({
  permissions: ["payments:view", "harvests:view"],
  filter: projectExportFilter,
  columns: {
    harvestId: whole("Harvest"),
    projectId: whole("Project ID"),
    projectTitle: text("Project"),
    round: whole("Round"),
    number: whole("Number"),
    isInsurance: flag("Insurance"),
    state: word("State", harvestStateLabels),
    backingId: whole("Backing"),
    userId: text("Person ID"),
    name: text("Name"),
    weightKobo: naira("Weight"),
    unit: text("Unit"),
    chosenAt: moment("Chosen"),
    quantityThousandths: quantity("Quantity"),
    takenThousandths: quantity("Taken"),
    givenThousandths: quantity("Donated"),
    soldThousandths: quantity("Sold"),
    produceKobo: naira("Taken, at the price used for estimates"),
    collectedAt: moment("Collected"),
    uncollectedAt: moment("Not collected"),
    shareKobo: naira("Share"),
    feeKobo: naira("Fee"),
    vatKobo: naira("VAT"),
    whtKobo: naira("Withheld tax"),
    netKobo: naira("Net"),
  },
  pages: pagesOfParts,
});
