import { desc, eq } from "drizzle-orm";
import { mailOwners } from "#server/accounts/owners/mail-owners.ts";
import { sumOfEntries } from "#server/books/sums.ts";
import { inTransaction } from "#server/db/open.ts";
import { statements } from "#server/db/schema/bank.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import type { Deps } from "#server/platform/deps.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { statementsMissingMail } from "./emails.ts";

/** The job of the clock. What follows an import is in matching/match-sure-lines.ts. */

const quietDays = 4;

/** Tells every owner, once until the next import, that no statement was imported for days while money waits. */
export async function remindOfStatements(deps: Deps): Promise<void> {
  const { db, clock, site } = deps;
  const [last] = await db
    .select({ id: statements.id, at: statements.createdAt })
    .from(statements)
    .orderBy(desc(statements.createdAt), desc(statements.id))
    .limit(1);
  const days = last ? Math.floor((clock.now().getTime() - last.at.getTime()) / dayMs) : 0;
  if (!last || days < quietDays) return;
  const pendingPayments = await db.$count(projectPayments, eq(projectPayments.status, "pending"));
  const [transit] = await db
    .select({ kobo: sumOfEntries() })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.account, "in_transit"));
  const inTransitKobo = transit?.kobo ?? 0n;
  if (pendingPayments === 0 && inTransitKobo === 0n) return;
  await inTransaction(db, async (tx) => {
    const facts = { site: site.current(), lastImportedAt: last.at, days, pendingPayments, inTransitKobo };
    await mailOwners(tx, deps, {
      eventKey: `statements_missing:${last.id}`,
      isUrgent: false,
      write: ({ fullName }) => statementsMissingMail({ fullName, ...facts }),
    });
  });
}
