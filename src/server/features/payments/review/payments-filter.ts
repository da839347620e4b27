import { and, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { z } from "zod";
import type { DbOrTx } from "#server/db/open.ts";
import { bareReference, paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { users } from "#server/db/schema/users.ts";
import { readReferencePart } from "#server/platform/references.ts";
import { contains } from "#server/platform/search.ts";
import type { listPaymentsInput } from "#shared/payments/inputs.ts";
import { isInBankState } from "./bank-state.ts";
import { isLate } from "./late.ts";

export type PaymentsFilter = Partial<Omit<z.output<typeof listPaymentsInput>, "cursor">>;

type Asked = { db: DbOrTx; now: Date };

/** Condition of the payments that a filter leaves. */
export function areChosen(
  { db, now }: Asked,
  { status, projectId, sameReceiptAs, bank, late, search }: PaymentsFilter,
): SQL | undefined {
  return and(
    status ? eq(projectPayments.status, status) : undefined,
    projectId ? eq(projectPayments.projectId, projectId) : undefined,
    sameReceiptAs ? sharesReceipt(sameReceiptAs) : undefined,
    bank ? isInBankState(sql`${projectPayments.id}`, bank) : undefined,
    late ? isLate(now) : undefined,
    search ? isNamed(db, search) : undefined,
  );
}

/** Matches the backer's name or address, an address kept for a refund, or the reference. */
function isNamed(db: DbOrTx, search: string): SQL | undefined {
  const named = db
    .select({ id: users.id })
    .from(users)
    .where(and(isNull(users.closedAt), or(contains(users.fullName, search), contains(users.email, search))));
  const part = readReferencePart(search);
  return or(
    inArray(projectPayments.userId, named),
    contains(projectPayments.refundEmail, search),
    part === null ? undefined : contains(bareReference(projectPayments), part),
  );
}

/** Payments for which the given payment's current receipt file was sent, now or earlier. */
function sharesReceipt(paymentId: number): SQL {
  const sent = alias(paymentReceipts, "sent");
  const looked = alias(paymentReceipts, "looked");
  const lookedAt = alias(projectPayments, "looked_at");
  // An array is computed first; with a subquery every payment would be compared.
  return sql`${projectPayments.id} = any(array(
    select ${sent.paymentId} from ${paymentReceipts} ${sent}, ${projectPayments} ${lookedAt}, ${paymentReceipts} ${looked}
    where ${lookedAt.id} = ${paymentId}::bigint and ${looked.id} = ${lookedAt.currentReceiptId} and ${sent.sha256} = ${looked.sha256}
  ))`;
}
