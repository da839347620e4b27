import { randomUUID } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type { LinePart } from "#shared/bank/inputs.ts";
import { maskedAccount } from "#shared/payouts/payee-accounts-texts.ts";
import { testPassword } from "#tests/support/people.ts";
import type { Bank } from "./bank.ts";
import { readParts } from "./part-acts.ts";
import { type Act, type Eyes, planOf } from "./river.ts";

/** Owners' acts on the bank's statements, refunds, farms' money and payment runs; and backers' on their account. */

const reason = "It was entered by mistake.";
const why = "Our bank's app shows it.";

async function findOne<Row extends Record<string, unknown>>({ find }: Eyes, query: SQL): Promise<Row | undefined> {
  return (await find<Row>(query))[0];
}

/** A bank account whose number nobody else has. */
function newAccount({ random }: Pick<Eyes, "random">) {
  const accountNumber = String(Date.now() % 10_000_000).padStart(7, "0") + String(random.below(1000)).padStart(3, "0");
  return { bankCode: "044", accountNumber, accountName: "A Backer", currentPassword: testPassword };
}
/** How the audit log names it. */
const maskOf = ({ accountNumber }: { accountNumber: string }) =>
  maskedAccount({ bankName: "Access Bank", accountNumber });

export function bankActs(bank: Bank, accountId: number): Act[] {
  return [
    {
      kind: "import a statement",
      weight: 14,
      async plan(eyes) {
        await bank.work(eyes);
        const printed = bank.print(eyes);
        if (!printed) return null;
        const { from, to, content, sha256 } = printed;
        return planOf("import a statement", sha256, { from, to }, async ({ importStatement }) => {
          const answer = await importStatement({ accountId, content });
          bank.acknowledge(to);
          return answer;
        });
      },
    },
    {
      kind: "match a line",
      weight: 20,
      async plan(eyes) {
        const line = await findOne<{ id: number; bankReference: string; amount: string; matched: string }>(
          eyes,
          sql`select id::int, bank_reference as "bankReference", amount_kobo::text as amount, matched_kobo::text as matched
            from statement_lines where matched_kobo <> abs(amount_kobo) order by random() limit 1`,
        );
        const part = line && (await partOf(eyes, bank, line));
        if (!line || !part) return null;
        const input = { lineId: line.id, seenMatchedKobo: BigInt(line.matched), parts: [part] };
        const sent = { kind: part.kind, kobo: part.amountKobo };
        return planOf("match a line", line.id, sent, ({ api }) => api.bank.match.mutate(input));
      },
    },
    {
      kind: "undo a match",
      weight: 6,
      async plan(eyes) {
        const match = await findOne<{ id: number; lineId: number }>(
          eyes,
          sql`select m.id::int, m.line_id::int as "lineId" from line_matches m
            where m.undone_at is null and m.kind <> 'returned' order by random() limit 1`,
        );
        if (!match) return null;
        const input = { matchId: match.id, reason };
        return planOf("undo a match", match.lineId, { matchId: match.id }, ({ api }) => api.bank.undo.mutate(input));
      },
    },
    {
      kind: "confirm sure payments",
      weight: 10,
      async plan({ read }) {
        const sure = await read(({ api }) => api.bank.listSurePayments.query());
        const paymentIds = (sure ?? []).slice(0, 3).map(({ paymentId }) => paymentId);
        if (paymentIds.length === 0) return null;
        return planOf("confirm sure payments", paymentIds.join(" "), {}, ({ api }) =>
          api.bank.confirmSurePayments.mutate({ paymentIds }),
        );
      },
    },
  ];
}

type Line = { bankReference: string; amount: string; matched: string };

/** Returns the explanation that a line's reader would give, now and then of only half of it. */
async function partOf(eyes: Eyes, bank: Bank, line: Line): Promise<LinePart | undefined> {
  const amount = BigInt(line.amount);
  const restKobo = (amount < 0n ? -amount : amount) - BigInt(line.matched);
  const meaning = bank.meaningOf(line.bankReference);
  if (!meaning) return undefined;
  const whole = { amountKobo: restKobo };
  const some = { amountKobo: restKobo > 1n && eyes.random.chance(0.15) ? restKobo / 2n : restKobo };
  if (meaning.of === "payment") {
    const { reference } = meaning;
    const payment = await findOne<{ id: number }>(
      eyes,
      sql`select id::int from project_payments where reference = ${reference}`,
    );
    return payment ? { kind: "payment", paymentId: payment.id, ...some } : { kind: "purchase", reference, ...whole };
  }
  if (meaning.of === "payout") return { kind: "payout", payoutId: meaning.payoutId, ...whole };
  if (meaning.of === "returned payout") return { kind: "returned", payoutId: meaning.payoutId, ...whole };
  if (meaning.of === "sale") return { kind: "sale", saleId: meaning.saleId, ...some };
  if (meaning.of === "cost") return { kind: "harvest_cost", harvestId: meaning.harvestId, ...some };
  if (meaning.of === "charges") return { kind: "bank_charges", ...whole };
  return { kind: "operator", reason: "Capital of the company", ...some };
}

export const refundActs: Act[] = [
  {
    kind: "give held money back",
    weight: 12,
    async plan(eyes) {
      const held = await findOne<{ id: number; kobo: string }>(
        eyes,
        sql`select p.id::int, (-sum(e.amount_kobo))::text as kobo
          from ledger_entries e join project_payments p on p.id = e.payment_id
          where e.account = 'unallocated' and p.status <> 'pending'
          group by p.id having sum(e.amount_kobo) < 0 order by random() limit 1`,
      );
      if (!held) return null;
      const input = { paymentId: held.id, seenUnallocatedKobo: BigInt(held.kobo) };
      return planOf("give held money back", held.id, { kobo: input.seenUnallocatedKobo }, ({ api }) =>
        api.payments.giveUnallocatedBack.mutate(input),
      );
    },
  },
  {
    kind: "take a refund back",
    weight: 3,
    async plan(eyes) {
      const refund = await findOne<{ id: number }>(
        eyes,
        sql`select r.id::int from refunds r where r.taken_back_at is null and exists (
          select from payouts o where o.refund_id = r.id and o.state in ('waiting', 'due')) order by random() limit 1`,
      );
      if (!refund) return null;
      const input = { refundId: refund.id, reason };
      return planOf("take a refund back", refund.id, {}, ({ api }) => api.payments.takeRefundBack.mutate(input));
    },
  },
  {
    kind: "decide a round",
    weight: 7,
    async plan(eyes) {
      const round = await findOne<{ id: number; approved: number; minimum: number }>(
        eyes,
        sql`select p.id, r.approved_lots as approved, r.minimum_lots as minimum
          from projects p join project_rounds r on r.project_id = p.id and r.round = p.round
          where p.is_closed and r.outcome is null and r.approved_lots > 0 and r.held_lots = 0
            and not exists (select from project_payments w
              where w.project_id = p.id and w.round = p.round and w.status = 'pending')
          order by random() limit 1`,
      );
      if (!round) return null;
      const outcome = round.approved >= round.minimum ? ("funded" as const) : ("not_funded" as const);
      const input = { projectId: round.id, outcome, seenApprovedLots: round.approved };
      return planOf("decide a round", round.id, { outcome }, ({ api }) => api.payments.decideRound.mutate(input));
    },
  },
];

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** The states of parts that may be released, in whole or further. */
const checkedStates = new Set(["checked", "released", "paid"]);

const farmActs: Act[] = [
  {
    kind: "ask for a second person",
    weight: 4,
    async plan(eyes) {
      const farm = await findOne<{ id: number }>(
        eyes,
        sql`select r.farm_id as id from project_rounds r where r.outcome = 'funded' and r.farm_id is not null
          order by exists (select from payee_accounts a where a.farm_id = r.farm_id), random() limit 1`,
      );
      if (!farm) return null;
      const { currentPassword: _, ...account } = newAccount(eyes);
      const details = { farmId: farm.id, ...account };
      const reason = "The farm's letter names this account.";
      return planOf("ask for a second person", `set_farm_account ${farm.id}`, {}, ({ api }) =>
        api.secondPerson.ask.mutate({ kind: "set_farm_account", details, reason }),
      );
    },
  },
  {
    kind: "release to a farm",
    weight: 8,
    async plan(eyes) {
      const farm = await readParts(eyes);
      const projectId = farm?.projectId ?? 0;
      const money = farm && (await eyes.read(({ api }) => api.farmReleases.ofProject.query({ projectId })));
      const round = money?.rounds.find(({ releasableKobo }) => releasableKobo > 0n);
      const parts = farm?.rounds.find((it) => it.round === round?.round);
      const next = parts?.parts.find(
        ({ state, releasableKobo }) => releasableKobo > 0n && (!parts.hasSteps || checkedStates.has(state)),
      );
      if (!round || !next) return null;
      const seenKobo = round.releasableKobo;
      const wholeKobo = least(next.releasableKobo, seenKobo);
      const amountKobo = wholeKobo > 1n && eyes.random.chance(0.3) ? wholeKobo / 2n : wholeKobo;
      const { part, askId } = next;
      const input = { projectId, round: round.round, part, askId, seenKobo, amountKobo };
      return planOf("release to a farm", projectId, { kobo: amountKobo }, ({ api }) =>
        api.farmReleases.release.mutate(input),
      );
    },
  },
  {
    kind: "take a release back",
    weight: 2,
    async plan(eyes) {
      const release = await findOne<{ id: number }>(
        eyes,
        sql`select r.id::int from farm_releases r where r.taken_back_at is null and not exists (
          select from payouts o where o.release_id = r.id and o.state not in ('waiting', 'due'))
          order by random() limit 1`,
      );
      if (!release) return null;
      const input = { releaseId: release.id, reason };
      return planOf("take a release back", release.id, {}, ({ api }) => api.farmReleases.takeBack.mutate(input));
    },
  },
];

const onRun = (
  kind: "approve a run" | "void a run" | "export a run",
  weight: number,
  which: (userId: string) => SQL,
) => ({
  kind,
  weight,
  async plan(eyes: Eyes) {
    const isIt = which(eyes.userId);
    const run = await findOne<{ id: number }>(
      eyes,
      sql`select id::int from payout_runs where ${isIt} order by random() limit 1`,
    );
    if (!run) return null;
    const runId = run.id;
    return planOf(kind, runId, {}, ({ api }) => {
      if (kind === "approve a run") return api.payouts.approveRun.mutate({ runId });
      if (kind === "void a run") return api.payouts.voidRun.mutate({ runId, reason });
      return api.payouts.exportRun.mutate({ runId, profile: "generic" });
    });
  },
});

export const runActs = (accountId: number): Act[] => [
  {
    kind: "make a run",
    weight: 10,
    async plan(eyes) {
      const due = await eyes.find<{ id: number }>(
        sql`select o.id::int from payouts o join payee_accounts a on a.replaced_at is null
            and (a.user_id = o.user_id or (o.kind = 'farm' and a.farm_id = o.farm_id))
          where o.state = 'due' and a.usable_from <= now() order by random() limit ${1 + eyes.random.below(4)}`,
      );
      if (due.length === 0) return null;
      const payoutIds = due.map(({ id }) => id);
      return planOf("make a run", `[${payoutIds.join(", ")}]`, {}, ({ api }) =>
        api.payouts.makeRun.mutate({ payoutIds, ownAccountId: accountId }),
      );
    },
  },
  onRun("approve a run", 12, (userId) => sql`state = 'draft' and made_by <> ${userId}`),
  onRun("void a run", 5, () => sql`state in ('draft', 'approved')`),
  // Again too: a lost answer makes people press once more.
  onRun("export a run", 12, () => sql`state in ('approved', 'exported')`),
  {
    kind: "mark a payout paid",
    weight: 3,
    async plan(eyes) {
      const payout = await findOne<{ id: number }>(
        eyes,
        sql`select id::int from payouts where state = 'sent' order by random() limit 1`,
      );
      if (!payout) return null;
      const sessionId = BigInt(`0x${randomUUID().replaceAll("-", "")}`)
        .toString()
        .padStart(30, "0")
        .slice(-30);
      const input = { payoutId: payout.id, sessionId, reason: why };
      return planOf("mark a payout paid", payout.id, { sessionId }, ({ api }) => api.payouts.markPaid.mutate(input));
    },
  },
  ...farmActs,
];

/** Backers name an account, and now and then another. */
export const accountAct: Act = {
  kind: "give an account",
  weight: 5,
  async plan(eyes) {
    const [known] = await eyes.find(sql`select from payee_accounts where user_id = ${eyes.userId}`);
    if (known && eyes.random.chance(0.95)) return null;
    const account = newAccount(eyes);
    return planOf("give an account", maskOf(account), { number: account.accountNumber }, ({ api }) =>
      api.payeeAccounts.set.mutate(account),
    );
  },
};
