import { eq, sql } from "drizzle-orm";
import superjson from "superjson";
import { runMoneyChecks } from "#server/books/checks/invariants.ts";
import type { Db } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { payoutLimits } from "#shared/payouts/texts.ts";
import { createAdmin } from "#tests/support/people.ts";
import type { Measurement } from "./lib/measurement.ts";
import { FIRST_PAYMENT, makePendingPayments, receiptHashOf } from "./lib/pending-payments.ts";
import { onDatabase } from "./lib/scene.ts";

/**
 * The largest run over HTTP, from its first request to the files: one owner makes it, another approves, the first
 * exports.
 */
const COUNT = payoutLimits.runSize;
const ROUNDS = 3;
const AT_ONCE = 8;

type Asked = { id: number; subject: string };
type Call = (path: string, input: unknown) => Promise<unknown>;

export async function measure(): Promise<Measurement[]> {
  return onDatabase(0, async ({ db, startProduct, cookieOf }) => {
    await makePendingPayments(db, COUNT * ROUNDS);
    const { url } = await startProduct();
    const as =
      (cookie: string): Call =>
      async (path, input) => {
        const headers = { "content-type": "application/json", origin: url, cookie };
        const body = JSON.stringify({ 0: superjson.serialize(input) });
        const answer = await fetch(`${url}/trpc/${path}?batch=1`, { method: "POST", headers, body });
        const [said] = (await answer.json()) as [{ result?: { data: unknown } }];
        if (!said.result) throw new Error(`${path}: ${JSON.stringify(said).slice(0, 500)}`);
        return superjson.deserialize(said.result.data as Parameters<typeof superjson.deserialize>[0]);
      };
    const maker = as(await cookieOf(await createAdmin(db, "owner")));
    const approver = as(await cookieOf(await createAdmin(db, "owner")));
    const ownAccountId = await keepOwnAccount(db);
    await oweAll(maker, approver);
    await giveAccounts(db);
    const rounds: Awaited<ReturnType<typeof timeRun>>[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await timeRun(db, { maker, approver, ownAccountId }));
    const broken = (await runMoneyChecks(db, new Date())).filter(({ violations }) => violations.length > 0);
    if (broken.length > 0) throw new Error(`the books don't hold: ${JSON.stringify(broken).slice(0, 1000)}`);
    const middle = (step: "made" | "approved" | "exported") =>
      rounds
        .map((each) => each[step])
        .sort((a, b) => a - b)[1]
        ?.toFixed(2);
    return [
      {
        what: `a run of ${COUNT.toLocaleString("en")} payouts made, approved and exported`,
        values: rounds.map(({ made, approved, exported }) => made + approved + exported),
        unit: "s",
        target: { atMost: 5 },
        details: `over HTTP; making ${middle("made")} s, approving ${middle("approved")} s, exporting ${middle("exported")} s; the books hold afterwards`,
      },
    ];
  });
}

async function keepOwnAccount(db: Db): Promise<number> {
  const named = { bankName: "Bench Bank", accountName: "Gona", accountNumber: "0123456789" };
  const [account] = await db
    .insert(ownAccounts)
    .values({ ...named, isActive: true })
    .returning();
  return account?.id ?? 0;
}

/** Makes a refund due for every payment: it is rejected, and two owners say that its money came. */
async function oweAll(owner: Call, second: Call): Promise<void> {
  let next = FIRST_PAYMENT;
  const work = async () => {
    while (next < FIRST_PAYMENT + COUNT * ROUNDS) {
      const paymentId = next++;
      const seen = { paymentId, seenReceiptSha256: receiptHashOf(paymentId) };
      await owner("payments.setStatus", { ...seen, status: "rejected", seenStatus: "pending" });
      const details = { paymentId, amountKobo: "50000000" };
      await owner("secondPerson.ask", { kind: "declare_arrived", details, reason: "Seen in the bank's app." });
      const { requests } = (await second("secondPerson.list", undefined)) as { requests: Asked[] };
      const asked = requests.find(({ subject }) => subject === String(paymentId));
      await second("secondPerson.confirm", { requestId: asked?.id });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Gives every backer an account that is usable since yesterday, and makes all payouts due. */
async function giveAccounts(db: Db): Promise<void> {
  await db.execute(sql`insert into payee_accounts (user_id, bank_code, bank_name, account_number, account_name, usable_from, added_by)
    select id, '044', 'Access Bank', lpad((row_number() over ())::text, 10, '0'), full_name, now() - interval '1 day', id
    from users where not is_admin`);
  await db.execute(sql`update payouts set state = 'due', due_at = now(), promised_by = now() + interval '7 days'`);
  await db.execute(sql`vacuum analyze`);
}

type Given = { maker: Call; approver: Call; ownAccountId: number };

/** Returns the seconds that each step takes. */
async function timeRun(db: Db, { maker, approver, ownAccountId }: Given) {
  const isDue = eq(payouts.state, "due");
  const due = await db.select({ id: payouts.id }).from(payouts).where(isDue).orderBy(payouts.id).limit(COUNT);
  const payoutIds = due.map(({ id }) => id);
  const secondsOf = async <Result>(work: Promise<Result>) => {
    const started = performance.now();
    return { result: await work, seconds: (performance.now() - started) / 1000 };
  };
  const made = await secondsOf(maker("payouts.makeRun", { payoutIds, ownAccountId }));
  const { runId } = made.result as { runId: number };
  const approved = await secondsOf(approver("payouts.approveRun", { runId }));
  const exported = await secondsOf(maker("payouts.exportRun", { runId, profile: "generic" }));
  return { made: made.seconds, approved: approved.seconds, exported: exported.seconds };
}
