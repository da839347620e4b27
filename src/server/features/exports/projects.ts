import { and, asc, eq, gt, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { harvests } from "#server/db/schema/harvests.ts";
import { holds } from "#server/db/schema/holds.ts";
import { projectBackings, projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import { users } from "#server/db/schema/users.ts";
import { shownName } from "#server/platform/names.ts";
import { backersExportFilter, projectExportFilter } from "#shared/exports.ts";
import { harvestStateLabels } from "#shared/harvests-texts.ts";
import { holdStateLabels } from "#shared/holds-texts.ts";
import { flag, moment, naira, quantity, text, whole, word } from "./columns.ts";
import { exportable, inPages } from "./write.ts";

/** What belongs to projects: holds and harvests of one or of all, backers of one. */

const ender = alias(users, "ender");

/** The holds of every round, those that are over too. */
export const holdsExport = exportable({
  permissions: ["payments:view"],
  filter: projectExportFilter,
  columns: {
    id: whole("Hold"),
    projectId: whole("Project ID"),
    projectTitle: text("Project"),
    round: whole("Round"),
    name: text("Name"),
    lots: whole("Lots"),
    state: word("State", holdStateLabels),
    isOffer: flag("Offered"),
    reference: text("Reference"),
    hasReceipt: flag("Receipt sent"),
    createdAt: moment("Since"),
    until: moment("Until"),
    endedAt: moment("Ended"),
    endedByName: text("Ended by"),
    endReason: text("Ended because"),
  },
  pages: (tx, { projectId }) =>
    inPages(({ after, limit }) =>
      tx
        .select({
          id: holds.id,
          projectId: holds.projectId,
          projectTitle: projects.title,
          round: holds.round,
          name: shownName(users),
          lots: holds.lots,
          state: holds.state,
          isOffer: sql<boolean>`${holds.reference} is null`,
          reference: holds.reference,
          hasReceipt: holds.hasReceipt,
          createdAt: holds.createdAt,
          until: holds.until,
          endedAt: holds.endedAt,
          endedByName: ender.fullName,
          endReason: holds.endReason,
        })
        .from(holds)
        .innerJoin(users, eq(users.id, holds.userId))
        .leftJoin(ender, eq(ender.id, holds.endedBy))
        .leftJoin(projects, eq(projects.id, holds.projectId))
        .where(and(gt(holds.id, after), projectId ? eq(holds.projectId, projectId) : undefined))
        .orderBy(asc(holds.id))
        .limit(limit),
    ),
});

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
  permissions: ["payments:view", "harvests:manage"],
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
    givenThousandths: quantity("Given away"),
    soldThousandths: quantity("Sold for backers"),
    referencePriceKobo: naira("Reference price"),
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
    allottedAt: moment("Allotted"),
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
        .innerJoin(
          projectRounds,
          and(eq(projectRounds.projectId, harvests.projectId), eq(projectRounds.round, harvests.round)),
        )
        .innerJoin(
          roundTerms,
          and(
            eq(roundTerms.projectId, harvests.projectId),
            eq(roundTerms.round, harvests.round),
            eq(roundTerms.version, projectRounds.termsVersion),
          ),
        )
        .where(and(gt(harvests.id, after), projectId ? eq(harvests.projectId, projectId) : undefined))
        .orderBy(asc(harvests.id))
        .limit(limit),
    ),
});

/** Sums of a backer's approved payments for the project. */
const paid = (sum: "lots" | "amount_kobo") => sql`(select coalesce(sum(payment.${sql.raw(sum)}), 0)::bigint
    from project_payments payment where payment.project_id = ${projectBackings.projectId}
    and payment.user_id = ${projectBackings.userId} and payment.status = 'approved')`;

/** What a granted backing counts in the harvests of rounds, in naira, with the reasons: "Round 1: 50000.00 (Lent us a tractor)". */
const weights = sql<string | null>`(
  select string_agg(format('Round %s: %s.%s (%s)', w.round, w.weight_kobo / 100, lpad((w.weight_kobo % 100)::text, 2, '0'), w.reason),
    '; ' order by w.round)
  from backing_weights w where w.backing_id = ${projectBackings.id})`;

/** Who backs a project, with the addresses that its screen shows. */
export const backersExport = exportable({
  permissions: ["payments:view", "projects:edit"],
  filter: backersExportFilter,
  columns: {
    id: whole("Backing"),
    userId: text("Person ID"),
    name: text("Name"),
    email: text("Email"),
    createdAt: moment("Since"),
    lots: whole("Lots"),
    paidKobo: naira("Paid"),
    isGranted: flag("Added by an administrator"),
    weights: text("Weights"),
    isBlocked: flag("Blocked"),
  },
  pages: (tx, { projectId }) =>
    inPages(({ after, limit }) =>
      tx
        .select({
          id: projectBackings.id,
          userId: projectBackings.userId,
          name: shownName(users),
          email: sql<string | null>`case when ${users.closedAt} is null then ${users.email} end`,
          createdAt: projectBackings.createdAt,
          lots: paid("lots").mapWith(Number),
          paidKobo: paid("amount_kobo").mapWith(projects.fundingGoalKobo),
          isGranted: sql<boolean>`${projectBackings.grantedAt} is not null`,
          weights,
          isBlocked: users.isBlocked,
        })
        .from(projectBackings)
        .innerJoin(users, eq(users.id, projectBackings.userId))
        .where(and(gt(projectBackings.id, after), eq(projectBackings.projectId, projectId)))
        .orderBy(asc(projectBackings.id))
        .limit(limit),
    ),
});
