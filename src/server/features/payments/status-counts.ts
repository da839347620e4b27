import { sql } from "drizzle-orm";
import type { z } from "zod";
import { projectPayments } from "#server/db/schema/payments.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { countPaymentsInput } from "#shared/payments/inputs.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { areChosen } from "./queries.ts";

/** How many payments of each status the other filters of /admin/payments leave. */
export async function countPaymentsByStatus(
  { db }: ActorContext,
  input: z.output<typeof countPaymentsInput>,
): Promise<Record<PaymentStatus, number>> {
  const found = await db
    .select({ status: projectPayments.status, payments: sql<number>`count(*)::int` })
    .from(projectPayments)
    .where(areChosen(db, input))
    .groupBy(projectPayments.status);
  const counts: Record<PaymentStatus, number> = { pending: 0, approved: 0, rejected: 0 };
  for (const { status, payments } of found) counts[status] = payments;
  return counts;
}
