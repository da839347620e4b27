import { asc, inArray, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import type { lineMatches } from "#server/db/schema/line-matches.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { type LockedHarvests, lockHarvestsAndSales } from "#server/features/harvests/arrivals.ts";
import { makePaymentOfReference } from "#server/features/payments/review/arrivals.ts";
import type { Payment } from "#server/features/payments/service.ts";
import { lockReleases, type Release } from "#server/features/payouts/releases/arrivals.ts";
import { AppError } from "#server/platform/errors.ts";
import { bankTexts } from "#shared/bank/texts.ts";

/** Locks the rows that the parts of a line name, in the order project, harvest, reference, payment. */

export type LockedRows = LockedHarvests & {
  projects: (typeof projects.$inferSelect)[];
  /** The references that payments are to be made of. */
  references: ReadonlyMap<string, typeof paymentReferences.$inferSelect>;
  /** The payments and the releases to farms of the parts, by id. */
  payments: Map<number, Payment>;
  releases: ReadonlyMap<number, Release>;
};

const anyOf = (column: string, values: readonly (number | string)[]) =>
  values.length === 0 ? sql`false` : sql`${sql.raw(column)} in ${values}`;

/** The ids that parts name. */
export type NamedIds = {
  paymentIds: number[];
  references: string[];
  saleIds: number[];
  harvestIds: number[];
  /** Releases that a farm paid back. */
  releaseIds: number[];
  payoutIds: number[];
  runIds: number[];
  /** The payouts that come back. */
  returnedIds: number[];
  /** Lines of other own accounts. */
  counterLineIds: number[];
};

/** Locks the projects of all that is named, then harvests and sales, payers (shared), references, payments and releases. */
export async function lockRows(
  tx: Tx,
  namedIds: Omit<NamedIds, "payoutIds" | "runIds" | "returnedIds" | "counterLineIds">,
): Promise<LockedRows> {
  const { paymentIds, references, saleIds, harvestIds, releaseIds } = namedIds;
  const isOfPart = sql`${projects.id} in (
    select p.project_id from project_payments p where ${anyOf("p.id", paymentIds)}
    union select r.project_id from payment_references r where ${anyOf("r.reference", references)}
    union ${projectsOfHarvests({ saleIds, harvestIds })}
    union select f.project_id from farm_releases f where ${anyOf("f.id", releaseIds)}
  )`;
  const locked = await tx.select().from(projects).where(isOfPart).orderBy(asc(projects.id)).for("no key update");
  const ofHarvests = await lockHarvestsAndSales(tx, { saleIds, harvestIds });
  return {
    projects: locked,
    references: await lockReferences(tx, references),
    payments: await lockPayments(tx, paymentIds),
    releases: await lockReleases(tx, releaseIds),
    ...ofHarvests,
  };
}

/** Locks references that a payment is to be made of, and before them whose they are, as when they buy themselves. */
async function lockReferences(tx: Tx, references: string[]): Promise<LockedRows["references"]> {
  if (references.length === 0) return new Map();
  const isOne = inArray(paymentReferences.reference, references);
  const payers = tx.select({ userId: paymentReferences.userId }).from(paymentReferences).where(isOne);
  await tx.select({ id: users.id }).from(users).where(inArray(users.id, payers)).orderBy(asc(users.id)).for("share");
  const locked = await tx
    .select()
    .from(paymentReferences)
    .where(isOne)
    .orderBy(asc(paymentReferences.reference))
    .for("update");
  return new Map(locked.map((given) => [given.reference, given]));
}

/** Makes the payments of references, and returns them by the reference. The caller has locked the references. */
export async function makePurchases(
  tx: Tx,
  references: readonly string[],
  { locked, at }: { locked: LockedRows; at: Date },
): Promise<Map<string, Payment>> {
  const purchases = new Map<string, Payment>();
  for (const reference of [...new Set(references)].sort()) {
    const given = locked.references.get(reference);
    const project = locked.projects.find(({ id }) => id === given?.projectId);
    if (!project) throw new AppError("conflict", bankTexts.notAgreed);
    purchases.set(reference, await makePaymentOfReference(tx, { project, reference, at }));
  }
  return purchases;
}

const projectsOfHarvests = ({ saleIds, harvestIds }: { saleIds: number[]; harvestIds: number[] }) =>
  sql`select h.project_id from harvests h where ${anyOf("h.id", harvestIds)}
    or h.id in (select s.harvest_id from harvest_sales s where ${anyOf("s.id", saleIds)})`;

async function lockPayments(tx: Tx, ids: number[]): Promise<Map<number, Payment>> {
  if (ids.length === 0) return new Map();
  const locked = await tx
    .select()
    .from(projectPayments)
    .where(inArray(projectPayments.id, ids))
    .orderBy(asc(projectPayments.id))
    .for("update");
  return new Map(locked.map((payment) => [payment.id, payment]));
}

type About = Pick<typeof lineMatches.$inferSelect, "paymentId" | "saleId" | "harvestId" | "releaseId">;

const idsOf = (id: number | null): number[] => (id === null ? [] : [id]);

/** Locks what a match is about: its project, harvest, payment or release. */
export function lockRowsOfMatch(tx: Tx, { paymentId, saleId, harvestId, releaseId }: About): Promise<LockedRows> {
  return lockRows(tx, {
    paymentIds: idsOf(paymentId),
    saleIds: idsOf(saleId),
    harvestIds: idsOf(harvestId),
    releaseIds: idsOf(releaseId),
    references: [],
  });
}
