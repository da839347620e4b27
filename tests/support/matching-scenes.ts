import { and, eq, isNull } from "drizzle-orm";
import { ownAccounts, statementLines, statements } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { paymentReferences } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { findReferences, indexReferences } from "#server/features/bank/statements/narrations.ts";
import { failPayout } from "#server/features/payouts/failing.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import type { Kobo } from "#shared/money.ts";
import type { TestDeps } from "./deps.ts";
import { emptyDatabase } from "./empty-database.ts";
import { endChoosing, fundFarm, keepSale, openHarvestOf } from "./harvests.ts";
import { agreeToTerms, contextOf, createPayment, decide, findPayment, setBankDetails } from "./money.ts";
import { findPayout, giveAccount, keepRun } from "./payouts.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "./people.ts";
import { createProject } from "./projects.ts";
import { matchByTwo } from "./second-person.ts";
import { keepLine, type OwnAccount, openOwnAccount, takenBackPart } from "./statements.ts";

/**
 * Scenes of matching, as the files of tests/golden/matching have them: who owes and is owed what, the lines of the bank's
 * statement, and what each is to be taken for. Amounts are in naira, days are dates. Everything has a name in its scene;
 * "{ada}" in a text stands for the reference of what is called ada, "{ada:bare}" for its code alone, and "{ada:7}" for the
 * first seven characters of it.
 */

/** The day of everything that has none. */
const today = "2026-11-21";

export type Scene = {
  about: string;
  /** Payments of people who sent a receipt, on this day. */
  payments?: Record<string, { from: string; naira: number; on?: string; status?: "approved" | "rejected" }>;
  /** Purchases agreed to under a reference, for which no receipt came. */
  purchases?: Record<string, { from: string; naira: number }>;
  /** Refunds that are due, by the run that they left with. One of another run than the first is called so. */
  payouts?: Record<string, { to: string; naira: number; run?: string; isDeclaredFailed?: true }>;
  /** The day on which a run's files were given to the bank, where it isn't the day of everything. */
  runs?: Record<string, { exportedOn: string }>;
  sales?: Record<string, { buyer: string; naira: number }>;
  /** Until when the statements of the account for savings reach, where a transfer to it could stand there. */
  savingsKnownUntil?: string;
  lines: GoldenLine[];
};

export type GoldenLine = {
  /** The line in words, and the reason for its verdict. */
  about: string;
  /** The naira that came in; `out` has those that went out. */
  in?: number;
  out?: number;
  on?: string;
  /** Which of the own accounts has it; the current one unless said otherwise. */
  account?: "savings";
  /** The name by which the scene's candidates refer to the line. */
  as?: string;
  narration: string;
  counterparty?: string;
  customerReference?: string;
  /** The bank marks it as taking something back. */
  isReversal?: true;
  /** The import didn't know the reference yet. */
  isOlderThanReference?: true;
  /**
   * The matches made before the others are looked at: it shows a payment, a payout leaving or coming back, or a part of
   * one.
   */
  shows?: Shown[];
  /** A person undid its match: it is a person's from then on. */
  isUndone?: true;
  /**
   * The drawer's candidates for its rest, the likeliest first, like "our_reference, sure: payment ada, ₦500,000. Why".
   */
  candidates?: string[];
  /** The first candidate is sure, and yet the job leaves the line: it finds another one's money there when its turn comes. */
  isLeft?: true;
};

type Shown =
  | { payment: string; naira?: number }
  | { payout: string }
  | { returned: string }
  | { takenBack: string }
  | { operator: string; naira?: number };

const naira = (amount: number): Kobo => BigInt(Math.round(amount * 100));

/** The rows behind a scene's names. */
type Known = {
  references: Map<string, string>;
  payments: Map<string, number>;
  payouts: Map<string, number>;
  runs: Map<string, number>;
  sales: Map<string, number>;
  lines: Map<string, number>;
};

export type PlayedScene = {
  owner: Caller;
  /** Each with its place in the scene and the id of its row. */
  lines: { golden: GoldenLine; id: number }[];
  /** The name of what an id stands for in this scene. */
  nameOf: (kind: Exclude<keyof Known, "references">, id: number | null | undefined) => string;
  /** A text with names in place of references and numbers of runs. */
  withNames: (text: string) => string;
};

type Stage = {
  deps: TestDeps;
  amaka: TestUser;
  bola: TestUser;
  current: OwnAccount;
  savings: OwnAccount;
  known: Known;
};

/** Makes all of a scene by the product's own services, in an empty database, up to where its lines are looked at. */
export async function playScene(deps: TestDeps, scene: Scene): Promise<PlayedScene> {
  await emptyDatabase(deps.db);
  setDay(deps, today);
  const amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  const bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  await setBankDetails(deps.db);
  const known: Known = {
    references: new Map(),
    payments: new Map(),
    payouts: new Map(),
    runs: new Map(),
    sales: new Map(),
    lines: new Map(),
  };
  await makeSales(deps, { amaka, bola, known, sales: scene.sales ?? {} });
  const current = await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: naira(1000) });
  const savings = await openOwnAccount(deps, { importedBy: amaka.id, accountNumber: "9876543210" });
  await deps.db.update(ownAccounts).set({ openedOn: "2026-10-01" });
  await deps.db.update(ownAccounts).set({ accountName: "Gona Savings" }).where(eq(ownAccounts.id, savings.id));
  if (scene.savingsKnownUntil) {
    await deps.db
      .update(statements)
      .set({ lastDay: scene.savingsKnownUntil })
      .where(eq(statements.ownAccountId, savings.id));
  }
  const stage: Stage = { deps, amaka, bola, current, savings, known };
  for (const [name, payment] of Object.entries(scene.payments ?? {})) await makePayment(stage, name, payment);
  for (const [name, purchase] of Object.entries(scene.purchases ?? {})) await makePurchase(stage, name, purchase);
  await makePayouts(stage, scene);
  const lines = [];
  for (const golden of scene.lines) lines.push({ golden, id: await makeLine(stage, golden) });
  const owner = await callAs(deps, amaka);
  for (const { golden, id } of lines) {
    for (const shown of golden.shows ?? []) await show(stage, { lineId: id, golden, shown });
    if (golden.isUndone) await undoLast(stage, id);
  }
  return { owner, lines, ...namesOf(known) };
}

const setDay = ({ clock }: TestDeps, day: string) => clock.set(new Date(`${day}T09:00:00.000Z`));

function namesOf(known: Known): Pick<PlayedScene, "nameOf" | "withNames"> {
  return {
    nameOf: (kind, id) => [...known[kind]].find(([, one]) => one === id)?.[0] ?? `unknown ${id}`,
    withNames: (text) => {
      let named = text;
      for (const [name, reference] of known.references) named = named.replaceAll(reference, `{${name}}`);
      for (const [name, id] of known.runs) named = named.replace(`payment run ${id}`, `payment run {${name}}`);
      return named;
    },
  };
}

/** Sales of the harvest of one farm, whose money is missing. */
async function makeSales(
  deps: TestDeps,
  { amaka, bola, known, sales }: Pick<Stage, "amaka" | "bola" | "known"> & { sales: NonNullable<Scene["sales"]> },
): Promise<void> {
  if (Object.keys(sales).length === 0) return;
  const farm = await fundFarm(deps, { owner: amaka, lots: [1, 1] });
  const harvestId = await openHarvestOf(await callAs(deps, amaka), farm, 100_000n);
  await endChoosing(deps, harvestId);
  const by = await callAs(deps, bola);
  for (const [name, { buyer, naira: amount }] of Object.entries(sales)) {
    known.sales.set(name, await keepSale(deps, by, { harvestId, buyer, amountKobo: naira(amount) }));
  }
  setDay(deps, today);
}

type Named<Of extends keyof Scene> = NonNullable<Scene[Of]> extends Record<string, infer One> ? One : never;

async function makePayment({ deps, amaka, known }: Stage, name: string, payment: Named<"payments">): Promise<void> {
  setDay(deps, payment.on ?? today);
  const backer = await createUser(deps.db, { fullName: payment.from });
  const project = await createProject(deps.db, { fundingGoalKobo: naira(payment.naira) });
  const { payment: made } = await createPayment(deps, { backer, project, owner: amaka });
  known.payments.set(name, made.id);
  known.references.set(name, made.reference);
  if (payment.status === "approved") {
    const unseenReason = "She showed it in her bank's app";
    await decide(deps, amaka, { paymentId: made.id, status: "approved", unseenReason });
  } else if (payment.status === "rejected") {
    await decide(deps, amaka, { paymentId: made.id, status: "rejected", reason: "Never came" });
  }
  setDay(deps, today);
}

async function makePurchase({ deps, known }: Stage, name: string, purchase: Named<"purchases">): Promise<void> {
  const backer = await createUser(deps.db, { fullName: purchase.from });
  const fundingGoalKobo = naira(purchase.naira);
  const project = await createProject(deps.db, { fundingGoalKobo, title: `Ponds of ${purchase.from}` });
  await agreeToTerms(deps, backer, project.id);
  const [given] = await deps.db.select().from(paymentReferences).where(eq(paymentReferences.userId, backer.id));
  if (!given) throw new Error("no reference was given");
  known.references.set(name, given.reference);
}

/** Refunds of money that lines brought, in the runs by which they left. */
async function makePayouts(stage: Stage, scene: Scene): Promise<void> {
  const { deps, amaka, bola, current, known } = stage;
  const byRun = Map.groupBy(Object.entries(scene.payouts ?? {}), ([name, { run }]) => run ?? name);
  for (const [run, members] of byRun) {
    setDay(deps, scene.runs?.[run]?.exportedOn ?? today);
    const owed = [];
    for (const [name, payout] of members) owed.push(await owe(stage, name, payout));
    const runId = await keepRun(deps, owed, { ownAccount: current, owner: amaka, second: bola });
    known.runs.set(run, runId);
    for (const [name, { isDeclaredFailed }] of members) {
      const payout = await findPayout(deps, known.payouts.get(name) ?? 0);
      if (!isDeclaredFailed) continue;
      const why = { reason: "It never left", at: deps.clock.now() };
      const by = await contextOf(deps, amaka);
      await deps.db.transaction(async (tx) => {
        await failPayout(tx, by, payout, { reason: why.reason });
        await tx.insert(secondPersonRequests).values({
          kind: "fail_payout",
          subject: String(payout.id),
          details: { payoutId: payout.id },
          reason: why.reason,
          requestedBy: amaka.id,
          requestedAt: why.at,
          decision: "confirmed",
          decidedBy: bola.id,
          decidedAt: why.at,
        });
      });
    }
    setDay(deps, today);
  }
}

async function owe(stage: Stage, name: string, { to, naira: amount }: Named<"payouts">) {
  const { deps, amaka, current, known } = stage;
  const backer = await createUser(deps.db, { fullName: to });
  const project = await createProject(deps.db, { fundingGoalKobo: naira(amount) });
  const { payment } = await createPayment(deps, { backer, project, owner: amaka });
  const { amountKobo, reference } = payment;
  const credit = await keepLine(deps, current, { amountKobo, reference, date: "2026-11-05" });
  await (await callAs(deps, amaka)).bank.match({
    lineId: credit.id,
    seenMatchedKobo: 0n,
    parts: [{ kind: "payment", amountKobo, paymentId: payment.id }],
  });
  await decide(deps, amaka, { paymentId: payment.id, status: "rejected", reason: "Gone", isGivenBack: true });
  const account = await giveAccount(deps, { userId: backer.id }, { addedBy: backer.id, accountName: to });
  const [owed] = await deps.db
    .select({ payout: payouts })
    .from(payouts)
    .innerJoin(refunds, eq(refunds.id, payouts.refundId))
    .where(eq(refunds.paymentId, payment.id));
  if (!owed) throw new Error("nothing is owed");
  known.payouts.set(name, owed.payout.id);
  known.references.set(name, owed.payout.reference);
  return { payout: owed.payout, account };
}

/** A line as the import leaves it, with the reference that it found. */
async function makeLine({ deps, current, savings, known }: Stage, golden: GoldenLine): Promise<number> {
  const withReferences = (text: string) =>
    text.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, form?: string) => {
      const reference = known.references.get(name);
      if (reference === undefined) throw new Error(`nothing in the scene is called ${name}`);
      const code = reference.split("-").slice(1).join("");
      return form === undefined ? reference : form === "bare" ? code : code.slice(0, Number(form));
    });
  const narration = withReferences(golden.narration);
  const customerReference = golden.customerReference ? withReferences(golden.customerReference) : null;
  const open = indexReferences(known.references.values());
  const found = [narration, customerReference ?? ""].flatMap((text) => findReferences(text, open));
  const reference = (found.find(({ isWhole }) => isWhole) ?? found[0])?.reference ?? null;
  const { id } = await keepLine(deps, golden.account === "savings" ? savings : current, {
    date: golden.on ?? today,
    narration,
    customerReference,
    counterparty: golden.counterparty ?? null,
    amountKobo: golden.in === undefined ? -naira(golden.out ?? 0) : naira(golden.in),
    reference: golden.isOlderThanReference ? null : reference,
    isReversal: golden.isReversal ?? false,
  });
  if (golden.as) known.lines.set(golden.as, id);
  return id;
}

async function show(
  { deps, amaka, bola, known }: Stage,
  { lineId, golden, shown }: { lineId: number; golden: GoldenLine; shown: Shown },
): Promise<void> {
  const [line] = await deps.db.select().from(statementLines).where(eq(statementLines.id, lineId));
  const whole = naira(golden.in ?? golden.out ?? 0);
  const part = await partOf({ deps, known }, shown, whole);
  const match = { lineId, seenMatchedKobo: line?.matchedKobo ?? 0n, parts: [part] };
  await matchByTwo({ asks: await callAs(deps, amaka), confirms: await callAs(deps, bola) }, match);
}

async function partOf({ deps, known }: Pick<Stage, "deps" | "known">, shown: Shown, whole: Kobo): Promise<LinePart> {
  if ("operator" in shown) {
    const amountKobo = shown.naira === undefined ? whole : naira(shown.naira);
    return { kind: "operator", amountKobo, reason: shown.operator };
  }
  if ("payment" in shown) {
    const { id } = await findPayment(deps.db, known.payments.get(shown.payment) ?? 0);
    return { kind: "payment", amountKobo: shown.naira === undefined ? whole : naira(shown.naira), paymentId: id };
  }
  if ("takenBack" in shown) {
    const paymentId = known.payments.get(shown.takenBack) ?? 0;
    return takenBackPart(deps.db, { paymentId, amountKobo: whole });
  }
  const [kind, name] =
    "payout" in shown ? (["payout", shown.payout] as const) : (["returned", shown.returned] as const);
  const { id: payoutId, amountKobo } = await findPayout(deps, known.payouts.get(name) ?? 0);
  return { kind, amountKobo, payoutId };
}

async function undoLast({ deps, amaka }: Stage, lineId: number): Promise<void> {
  const [match] = await deps.db
    .select()
    .from(lineMatches)
    .where(and(eq(lineMatches.lineId, lineId), isNull(lineMatches.undoneAt)));
  await (await callAs(deps, amaka)).bank.undo({ matchId: match?.id ?? 0, reason: "It is somebody else's" });
}
