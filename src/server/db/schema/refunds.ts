import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, kobo, rowId } from "./columns.ts";
import { projectPayments } from "./payments.ts";
import { users } from "./users.ts";

/** Money of a payment that is due to be given back. The ledger holds it under `backer_due`. */
export const refunds = pgTable(
  "refunds",
  {
    id: rowId(),
    paymentId: bigint("payment_id", { mode: "number" })
      .notNull()
      .references(() => projectPayments.id),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    amountKobo: kobo("amount_kobo").notNull(),
    reason: text("reason", { enum: ["not_funded", "not_approved"] }).notNull(),
    madeBy: uuid("made_by").references(() => users.id),
    createdAt: createdAt(),
  },
  (table) => [
    check("refunds_amount", sql`${table.amountKobo} > 0`),
    check("refunds_reason", sql`${table.reason} in ('not_funded', 'not_approved')`),
    index("refunds_of_payment").on(table.paymentId),
    index("refunds_of_person").on(table.userId),
  ],
);
