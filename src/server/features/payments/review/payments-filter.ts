import { and, eq, inArray, isNull, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { z } from "zod";
import type { DbOrTx } from "#server/db/open.ts";
import { bareReference, paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { users } from "#server/db/schema/users.ts";
import { readReferencePart } from "#server/platform/references.ts";
import { containsPattern, matches } from "#server/platform/search.ts";
import type { listPaymentsInput } from "#shared/payments/inputs.ts";
import type { BankState, PaymentStatus } from "#shared/payments/statuses.ts";
import { isInBankState } from "./bank-state.ts";

export type PaymentsFilter = Partial<Omit<z.output<typeof listPaymentsInput>, "cursor">>;

/** The values of the filters that are set. `pattern` is of the search, `part` of what it may be of a reference. */
type FilterValues = {
  status?: PaymentStatus;
  projectId?: number;
  sameReceiptAs?: number;
  bank?: BankState;
  pattern?: string;
  part?: string;
};
/** The state of the bank decides how the statement is written, so it is no parameter of it. */
export type ParameterName = Exclude<keyof FilterValues, "bank">;
type Bank = { bank?: BankState | undefined };

/** The values of a filter, each of which a statement takes as a parameter, except the state of the bank. */
export function valuesOf({ status, projectId, sameReceiptAs, bank, search }: PaymentsFilter): FilterValues {
  const part = search ? readReferencePart(search) : null;
  const values: FilterValues = {};
  if (status) values.status = status;
  if (projectId) values.projectId = projectId;
  if (sameReceiptAs) values.sameReceiptAs = sameReceiptAs;
  if (bank) values.bank = bank;
  if (search) values.pattern = containsPattern(search);
  if (part !== null) values.part = containsPattern(part);
  return values;
}

/** Condition of the payments that a filter leaves. Its values may be placeholders of a prepared statement. */
export function areChosen(
  db: DbOrTx,
  { bank, ...filter }: { [Name in ParameterName]?: FilterValues[Name] | Placeholder | undefined } & Bank,
): SQL | undefined {
  const { status, projectId, sameReceiptAs, pattern, part } = filter;
  return and(
    status ? eq(projectPayments.status, status) : undefined,
    projectId ? eq(projectPayments.projectId, projectId) : undefined,
    sameReceiptAs ? sharesReceipt(sameReceiptAs) : undefined,
    bank ? isInBankState(sql`${projectPayments.id}`, bank) : undefined,
    pattern ? isNamed(db, pattern, part) : undefined,
  );
}

/** Matches the backer's name or address, an address kept for a refund, or the reference. */
function isNamed(db: DbOrTx, pattern: string | Placeholder, part: string | Placeholder | undefined): SQL | undefined {
  const named = db
    .select({ id: users.id })
    .from(users)
    .where(and(isNull(users.closedAt), or(matches(users.fullName, pattern), matches(users.email, pattern))));
  return or(
    inArray(projectPayments.userId, named),
    matches(projectPayments.refundEmail, pattern),
    part === undefined ? undefined : matches(bareReference(projectPayments), part),
  );
}

/** Payments for which the given payment's current receipt file was sent, now or earlier. */
function sharesReceipt(paymentId: number | Placeholder): SQL {
  const sent = alias(paymentReceipts, "sent");
  const looked = alias(paymentReceipts, "looked");
  const lookedAt = alias(projectPayments, "looked_at");
  // An array is computed first; with a subquery every payment would be compared.
  return sql`${projectPayments.id} = any(array(
    select ${sent.paymentId} from ${paymentReceipts} ${sent}, ${projectPayments} ${lookedAt}, ${paymentReceipts} ${looked}
    where ${lookedAt.id} = ${paymentId}::bigint and ${looked.id} = ${lookedAt.currentReceiptId} and ${sent.sha256} = ${looked.sha256}
  ))`;
}
