import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { refundReasons } from "#shared/payments/texts.ts";
import { createdAt, kobo, moment, rowId } from "./columns.ts";
import { projectPayments } from "./payments.ts";
import { secondPersonRequests } from "./second-person.ts";
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
    reason: text("reason", { enum: refundReasons }).notNull(),
    madeBy: uuid("made_by").references(() => users.id),
    createdAt: createdAt(),
    /** The request that two people agreed on, if it takes two. */
    requestId: bigint("request_id", { mode: "number" }).references(() => secondPersonRequests.id),
    /** Taken back: nothing is due any more. */
    takenBackAt: moment("taken_back_at"),
    takenBackBy: uuid("taken_back_by").references(() => users.id),
    takenBackReason: text("taken_back_reason"),
  },
  (table) => [
    check("refunds_amount", sql`${table.amountKobo} > 0`),
    check(
      "refunds_reason",
      sql`${table.reason} in (${sql.raw(refundReasons.map((reason) => `'${reason}'`).join(", "))})`,
    ),
    check(
      "refunds_taken_back",
      sql`num_nonnulls(${table.takenBackAt}, ${table.takenBackBy}, ${table.takenBackReason}) in (0, 3)`,
    ),
    index("refunds_of_payment").on(table.paymentId),
    index("refunds_of_person").on(table.userId),
  ],
);
