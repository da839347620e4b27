import { sql } from "drizzle-orm";
import superjson from "superjson";
import { runMoneyChecks } from "#server/books/checks/invariants.ts";
import type { Db } from "#server/db/open.ts";
import { createAdmin } from "#tests/support/people.ts";
import { type Measurement, median, p95, ROUNDS } from "./lib/measurement.ts";
import { FIRST_PAYMENT, makePendingPayments, receiptHashOf } from "./lib/pending-payments.ts";
import { onDatabase } from "./lib/scene.ts";

/** An owner's approvals over HTTP: each of another project's payment, and all of the same project's. */
const AT_ONCE = 16;
const PER_ROUND = 320;
const SAME_PROJECT = 32;
const SAME_ROUNDS = 20;
const DIFFERENT = (ROUNDS + 1) * PER_ROUND;

type Approve = (payment: number) => Promise<{ status: number; ms: number }>;

export async function measure(): Promise<Measurement[]> {
  return onDatabase(0, async ({ db, startProduct, cookieOf }) => {
    await makePendingPayments(db, DIFFERENT + SAME_ROUNDS * SAME_PROJECT);
    const { url } = await startProduct();
    const headers = {
      "content-type": "application/json",
      origin: url,
      cookie: await cookieOf(await createAdmin(db, "owner")),
    };
    const approve: Approve = async (payment) => {
      const seen = { seenStatus: "pending", seenReceiptSha256: receiptHashOf(payment) };
      const input = superjson.serialize({ paymentId: payment, status: "approved", ...seen });
      const body = JSON.stringify({ 0: input });
      const started = performance.now();
      const answer = await fetch(`${url}/trpc/payments.setStatus?batch=1`, { method: "POST", headers, body });
      await answer.arrayBuffer();
      return { status: answer.status, ms: performance.now() - started };
    };
    const rows = [await timeApprovals(db, approve), await countWinners(db, approve)];
    const broken = (await runMoneyChecks(db, new Date())).filter(({ violations }) => violations.length > 0);
    if (broken.length > 0) throw new Error(`the books don't hold: ${JSON.stringify(broken)}`);
    return rows;
  });
}

/** The first round isn't counted. */
async function timeApprovals(db: Db, approve: Approve): Promise<Measurement> {
  const rounds: { ms: number[]; seconds: number }[] = [];
  for (let next = FIRST_PAYMENT; next < FIRST_PAYMENT + DIFFERENT; ) {
    // Mails that wait for the next half second make the queue slower: in the product there is never more than a few.
    await db.execute(sql`delete from jobs.job where name = 'mail'`);
    const end = next + PER_ROUND;
    const ms: number[] = [];
    const work = async () => {
      while (next < end) {
        const answer = await approve(next++);
        if (answer.status !== 200) throw new Error(`an approval was answered ${answer.status}`);
        ms.push(answer.ms);
      }
    };
    const started = performance.now();
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    rounds.push({ ms, seconds: (performance.now() - started) / 1000 });
  }
  const counted = rounds.slice(1);
  const perSecond = median(counted.map(({ seconds }) => PER_ROUND / seconds));
  const middle = median(counted.map(({ ms }) => median(ms)));
  return {
    what: `approval, ${AT_ONCE} at once, each of another project: p95`,
    values: counted.map(({ ms }) => p95(ms)),
    unit: "ms",
    target: { atMost: 300 },
    details: `over HTTP; median ${middle.toFixed(0)} ms, ${perSecond.toFixed(0)} approvals a second`,
  };
}

async function countWinners(db: Db, approve: Approve): Promise<Measurement> {
  const start = FIRST_PAYMENT + DIFFERENT;
  const projectOf = sql.raw(`project_id - (project_id - ${start}) % ${SAME_PROJECT}`);
  await db.execute(sql`update payment_references set project_id = ${projectOf} where project_id >= ${start}`);
  await db.execute(sql`update project_payments set project_id = ${projectOf} where project_id >= ${start}`);
  const winners: number[] = [];
  const refusals = new Map<number, number>();
  for (let round = 0; round < SAME_ROUNDS; round++) {
    const first = start + round * SAME_PROJECT;
    const answers = await Promise.all(Array.from({ length: SAME_PROJECT }, (_, index) => approve(first + index)));
    winners.push(answers.filter(({ status }) => status === 200).length);
    for (const { status } of answers) if (status !== 200) refusals.set(status, (refusals.get(status) ?? 0) + 1);
  }
  const others = [...refusals].map(([status, count]) => `${count} × ${status}`).join(", ");
  return {
    what: `of ${SAME_PROJECT} approvals at once for the last lot, those that succeed`,
    values: winners,
    target: { exactly: 1 },
    details: `over HTTP; the others were answered ${others}; the books hold afterwards`,
  };
}
