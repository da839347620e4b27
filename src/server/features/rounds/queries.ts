import { and, asc, eq, ne, or, sql } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { ledgerTransactions } from "#server/db/schema/ledger.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import { findMaxLots } from "#server/features/settings/queries.ts";
import { clausesOf, type Terms } from "#shared/terms-texts.ts";

/** The harvest terms of a round: versions that are never changed. The round names the one it is sold by. */

export type RoundTerms = Terms & { version: number };

/** A version of the terms, as the rest of the server speaks of it. */
export const termsColumns = {
  version: roundTerms.version,
  unit: roundTerms.unit,
  plannedQuantity: roundTerms.plannedQuantity,
  plannedPriceKobo: roundTerms.plannedPriceKobo,
  plannedHarvests: roundTerms.plannedHarvests,
  firstHarvestOn: roundTerms.firstHarvestOn,
  farmPartRate: roundTerms.farmPartRate,
  deductibleCosts: roundTerms.deductibleCosts,
  feeRate: roundTerms.feeRate,
  options: roundTerms.options,
  collectionPlace: roundTerms.collectionPlace,
  choiceDays: roundTerms.choiceDays,
  collectionDays: roundTerms.collectionDays,
  insurance: roundTerms.insurance,
};

/** A version of a round's terms. The round's row names it, so it is there. */
export async function findTerms(
  db: DbOrTx,
  { projectId, round }: { projectId: number; round: number },
  version: number,
): Promise<RoundTerms> {
  const [terms] = await db
    .select(termsColumns)
    .from(roundTerms)
    .where(and(eq(roundTerms.projectId, projectId), eq(roundTerms.round, round), eq(roundTerms.version, version)));
  if (!terms) throw new Error(`round ${round} of project ${projectId} has no terms ${version}`);
  return terms;
}

/** A version in words. */
export const shownTermsColumns = { version: roundTerms.version, text: roundTerms.text };

/** The words that a payer reads, as they were kept with the version. */
export const readable = ({ version, text }: { version: number; text: string }) => ({
  version,
  clauses: clausesOf(text),
});

/** A version of a round's terms as a payer reads it. */
export async function findShownTerms(
  db: DbOrTx,
  { projectId, round }: { projectId: number; round: number },
  version: number,
) {
  const [terms] = await db
    .select(shownTermsColumns)
    .from(roundTerms)
    .where(and(eq(roundTerms.projectId, projectId), eq(roundTerms.round, round), eq(roundTerms.version, version)));
  if (!terms) throw new Error(`round ${round} of project ${projectId} has no terms ${version}`);
  return readable(terms);
}

/** Whether the round that an approved payment was posted to was written off. The ledger names it even if its project was deleted. */
export async function isWrittenOff(db: DbOrTx, paymentId: number): Promise<boolean> {
  const found = await db
    .select({ round: projectRounds.round })
    .from(ledgerTransactions)
    .innerJoin(
      projectRounds,
      and(
        eq(projectRounds.projectId, ledgerTransactions.projectId),
        eq(projectRounds.round, ledgerTransactions.round),
        eq(projectRounds.outcome, "written_off"),
      ),
    )
    .where(and(eq(ledgerTransactions.paymentId, paymentId), eq(ledgerTransactions.kind, "approval")))
    .limit(1);
  return found.length > 0;
}

/** A person's rounds of a project that were written off, with the reason. */
export async function listWrittenOff(db: DbOrTx, { projectId, userId }: { projectId: number; userId: string }) {
  return db
    .selectDistinct({ round: projectRounds.round, at: projectRounds.decidedAt, reason: secondPersonRequests.reason })
    .from(projectRounds)
    .innerJoin(
      projectPayments,
      and(
        eq(projectPayments.projectId, projectRounds.projectId),
        eq(projectPayments.round, projectRounds.round),
        eq(projectPayments.userId, userId),
        eq(projectPayments.status, "approved"),
      ),
    )
    .innerJoin(
      secondPersonRequests,
      and(
        eq(secondPersonRequests.kind, "write_off"),
        eq(secondPersonRequests.decision, "confirmed"),
        sql`${secondPersonRequests.subject} = ${projectRounds.projectId} || '/' || ${projectRounds.round}`,
      ),
    )
    .where(and(eq(projectRounds.projectId, projectId), eq(projectRounds.outcome, "written_off")))
    .orderBy(asc(projectRounds.round));
}

/**
 * The most lots for one person and round, without those they buy already; those that wait under `reference` aren't counted.
 */
export async function countAllowedLots(
  db: DbOrTx,
  { projectId, round }: { projectId: number; round: number },
  userId: string,
  reference?: string,
): Promise<number> {
  const [own] = await db
    .select({ lots: sql<number>`coalesce(sum(${projectPayments.lots}), 0)::int` })
    .from(projectPayments)
    .where(
      and(
        eq(projectPayments.projectId, projectId),
        eq(projectPayments.round, round),
        eq(projectPayments.userId, userId),
        ne(projectPayments.status, "rejected"),
        reference === undefined
          ? undefined
          : or(eq(projectPayments.status, "approved"), ne(projectPayments.reference, reference)),
      ),
    );
  return Math.max(0, (await findMaxLots(db)) - (own?.lots ?? 0));
}
