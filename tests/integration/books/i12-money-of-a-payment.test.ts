import { eq } from "drizzle-orm";
import { paymentMoneyStandsRight } from "#server/books/checks/i12-money-of-a-payment.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { bankBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createPayment, declareArrived } from "#tests/support/money.ts";
import { callAs } from "#tests/support/people.ts";
import { testInvariant } from "#tests/support/planted.ts";
import { keepLine, openOwnAccount } from "#tests/support/statements.ts";

const deps = await openTestDeps();
const ids = await bankBooks(deps);
const shownAfterSaid = await matchAfterSaid();

/** A payment that people said came before a line showed it; the match of that line. */
async function matchAfterSaid(): Promise<number> {
  const { payment, owner } = await createPayment(deps);
  await declareArrived(deps, owner, payment);
  const { amountKobo, id: paymentId, reference: narration } = payment;
  const line = await keepLine(deps, await openOwnAccount(deps, { importedBy: owner.id, accountNumber: "5555555555" }), {
    amountKobo,
    narration,
  });
  const { bank } = await callAs(deps, owner);
  await bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [{ kind: "payment", amountKobo, paymentId }] });
  const [match] = await deps.db.select().from(lineMatches).where(eq(lineMatches.lineId, line.id));
  return match?.id ?? 0;
}

testInvariant(deps, paymentMoneyStandsRight, [
  [
    "more was given back of a payment than had arrived",
    `insert into ledger_entries (transaction_id, account, payment_id, amount_kobo)
        select max(id), 'unallocated', ${ids.unseen}, 1 from ledger_transactions`,
  ],
  [
    "money of an approved payment stands elsewhere than its matches say",
    `update project_payments set status = 'approved' where id = ${ids.payment}`,
  ],
  [
    "money of an approved payment stands elsewhere than its matches say",
    `insert into ledger_entries (transaction_id, account, amount_kobo)
        select max(id), 'operator', -100 from ledger_transactions where payment_id = ${ids.unseen} and kind = 'approval'`,
  ],
  [
    "money of a payment that is not approved stands elsewhere than its matches say",
    `update line_matches set amount_kobo = amount_kobo - 1 where id = ${ids.match}`,
  ],
  [
    "money of a payment that is not approved stands elsewhere than its matches say",
    `update ledger_entries set account = 'unallocated' where account = 'in_transit'
      and transaction_id in (select id from ledger_transactions where match_id = ${shownAfterSaid})`,
  ],
  [
    "more or less is read to have arrived of an approved payment than its matches say",
    `insert into ledger_entries (transaction_id, account, payment_id, amount_kobo)
        select max(id), 'in_transit', ${ids.unseen}, 1 from ledger_transactions`,
  ],
  [
    "strike lost more or less than was missing",
    `insert into payment_strikes (payment_id, user_id, project_id, round, lost_kobo, reason, request_id, struck_by)
        values (${ids.unseen}, '${ids.payer}', 1, 1, 1, 'It never came.', 1, '${ids.payer}')`,
  ],
  [
    "posted as struck, and isn't",
    `insert into ledger_transactions (kind, payment_id, project_title, round, user_id)
        values ('strike', ${ids.unseen}, 'Ponds', 1, '${ids.payer}')`,
  ],
  [
    "counted as arrived without a line, though statements were imported",
    `insert into ledger_transactions (kind, payment_id, project_title, round, user_id)
        values ('assumed_arrival', ${ids.unseen}, 'Ponds', 1, '${ids.payer}')`,
  ],
  [
    "approved payment with a refund due",
    `insert into refunds (payment_id, user_id, amount_kobo, reason) values (${ids.unseen}, '${ids.payer}', 1, 'not_approved')`,
  ],
]);
