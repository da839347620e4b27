import { createHash, randomInt } from "node:crypto";
import { and, asc, eq, lte } from "drizzle-orm";
import { readRoundMoney } from "#server/books/rounds.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { keepStatement } from "#server/features/bank/importing/import-statement.ts";
import { writeStatementOf } from "#server/features/bank/importing/sample-statement.ts";
import { matchParts } from "#server/features/bank/matching/match-line.ts";
import { readStatement } from "#server/features/bank/statements/read.ts";
import { payByHand } from "#server/features/payouts/by-hand.ts";
import { setMyAccount } from "#server/features/payouts/payee-accounts/service.ts";
import { releaseToFarm } from "#server/features/payouts/releases/service.ts";
import { approveRun } from "#server/features/payouts/runs/decide.ts";
import { exportRun } from "#server/features/payouts/runs/export.ts";
import { makeRun } from "#server/features/payouts/runs/make.ts";
import { newFileKey } from "#server/files/storage.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { hasCheckDigit, nigerianBanks } from "#shared/bank/nigerian-banks.ts";
import type { SureRule } from "#shared/bank/texts.ts";
import { dayInLagos } from "#shared/dates.ts";
import { type Kobo, nairaToKobo } from "#shared/money.ts";
import type { DemoSeason } from "./demo-data.ts";
import { byTwoOwners, type Office, type Step } from "./seed-office.ts";

/** The demo's bank: its statements, what explains their lines, and the money that goes out. */

/** A line that the next statement shows. */
export type ExpectedLine = {
  at: Date;
  kobo: Kobo;
  narration: string;
  /** The part that explains the whole line; null leaves that to an owner. */
  part: LinePart | null;
  rule?: SureRule;
  /** Does what an owner does once the line is explained. */
  onSeen?: (at: Date) => Promise<void>;
};

export type Bank = { expected: ExpectedLine[] };

/** Statements of the lines that were expected until then, each imported and explained. */
export const planImports = (office: Office, bank: Bank, { importsDaysAgo, lines }: DemoSeason): Step[] => [
  ...lines.map(({ daysAgo, naira, narration, explains }): Step => {
    const [at, kobo] = [office.ago(daysAgo), naira < 0 ? -nairaToKobo(-naira) : nairaToKobo(naira)];
    const part = explains && { ...explains, amountKobo: kobo < 0n ? -kobo : kobo };
    return { at, run: async () => void bank.expected.push({ at, kobo, narration, part }) };
  }),
  ...importsDaysAgo.map((daysAgo): Step => {
    const at = office.ago(daysAgo);
    return { at, run: () => importUntil(office, bank, at) };
  }),
];

async function importUntil(office: Office, bank: Bank, at: Date): Promise<void> {
  const { tx, ownAccountId: accountId } = office;
  const ctx = office.as("owner", at);
  const shown = bank.expected
    .filter((line) => line.at <= at)
    .sort((one, other) => one.at.getTime() - other.at.getTime());
  bank.expected = bank.expected.filter((line) => line.at > at);
  if (shown.length === 0) return;
  const lines = shown.map(({ at: moment, kobo, narration }) => ({
    day: dayInLagos(moment),
    kobo,
    narration,
  }));
  const content = Buffer.from(await writeStatementOf(ctx, { accountId, lines }));
  const asked = await readStatement(content);
  if (asked.kind === "refused") throw new Error(`the demo's statement: ${asked.faults[0]?.text}`);
  const mapping = asked.table?.mapping;
  const key = newFileKey("statement");
  await ctx.storage.write(key, content);
  const file = {
    key,
    sha256: createHash("sha256").update(content).digest("hex"),
    bytes: content.length,
    originalName: `statement-${dayInLagos(at)}.csv`,
  };
  const given = { accountId, file, openingKobo: null, statement: asked, ...(mapping && { mapping }) };
  const kept = await keepStatement(tx, ctx, given);
  if (kept.kind !== "imported") throw new Error(`the demo's statement was not imported: ${JSON.stringify(kept)}`);
  const known = await tx
    .select({ id: statementLines.id })
    .from(statementLines)
    .where(eq(statementLines.statementId, kept.statementId))
    .orderBy(asc(statementLines.position));
  for (const [index, { part, rule, onSeen }] of shown.entries()) {
    if (!part) continue;
    const lineId = known[index]?.id ?? 0;
    await matchParts(tx, ctx, { lineId, seenMatchedKobo: 0n, parts: [part], ...(rule && { rule }) });
    await onSeen?.(at);
  }
}

const bankCodes = ["044", "058", "057", "011", "033", "070"];

/** An account number as its bank gives them, by the number of the account. */
function demoAccount(index: number): { bankCode: string; accountNumber: string } {
  const bankCode = bankCodes[index % bankCodes.length] ?? "044";
  const bank = nigerianBanks.find(({ code }) => code === bankCode);
  const digits = String(200_300_400 + index * 7_919);
  const accountNumber = Array.from({ length: 10 }, (_, digit) => `${digits}${digit}`).find(
    (number) => bank && hasCheckDigit(bank, number),
  );
  return { bankCode, accountNumber: accountNumber ?? `${digits}0` };
}

/** How many days before a farm's money goes to it an owner enters its account, which rests for two. */
const accountDays = 4;
/** When the backers gave the accounts that they are paid to; each eighth has given none yet. */
const peopleDaysAgo = 50;

/** The accounts of farms and backers, and the money of funded rounds that goes on to their farms. */
export function planReleases(office: Office, { releases }: DemoSeason): Step[] {
  const { ago, farmOf } = office;
  const ofFarms = releases.flatMap(({ daysAgo, farms }) =>
    farms.flatMap((slug, index): Step[] => {
      const { creator: accountName, terms } = farmOf(slug);
      const [entered, released] = [ago(daysAgo + accountDays), ago(daysAgo)];
      return [
        {
          at: entered,
          run: () => {
            const details = { farmId: farmOf(slug).farmId, ...demoAccount(daysAgo + index), accountName };
            const reason = "The farm sent us its account with its papers.";
            return byTwoOwners(office, entered, { kind: "set_farm_account", details, reason });
          },
        },
        // What goes in parts is asked for.
        ...(terms.releaseParts ? [] : [{ at: released, run: () => releaseAll(office, slug, released) }]),
      ];
    }),
  );
  const at = ago(peopleDaysAgo);
  const ofPeople = [office.backer, ...office.people].flatMap((person, index): Step[] => {
    if (index % 8 === 7) return [];
    const { fullName: accountName, password: currentPassword } = person;
    const account = { ...demoAccount(500 + index), accountName, currentPassword };
    return [{ at, run: () => setMyAccount(office.asPerson(person, at), account) }];
  });
  return [...ofFarms, ...ofPeople];
}

async function releaseAll(office: Office, slug: string, at: Date): Promise<void> {
  const key = { projectId: office.farmOf(slug).projectId, round: 1, part: 1 };
  const { releasableKobo: seenKobo } = await readRoundMoney(office.tx, key);
  await releaseToFarm(office.as("owner", at), { ...key, askId: null, seenKobo, amountKobo: seenKobo });
}

type Payout = typeof payouts.$inferSelect;
type Run = DemoSeason["runs"][number] & { runId: number; due: Payout[] };

/** Runs of what is due then: one owner makes them, the other approves, and the bank shows them half a day later. */
export const planRuns = (office: Office, bank: Bank, { runs }: DemoSeason): Step[] =>
  runs.flatMap((given): Step[] => {
    const run: Run = { ...given, runId: 0, due: [] };
    const [at, seenAt] = [office.ago(run.daysAgo), office.ago(run.daysAgo - 0.5)];
    return [
      { at, run: () => sendRun(office, run, at) },
      { at: seenAt, run: () => expectRun(office, bank, run, seenAt) },
    ];
  });

async function sendRun(office: Office, run: Run, at: Date): Promise<void> {
  const isDue = and(eq(payouts.state, "due"), lte(payouts.createdAt, at));
  run.due = await office.tx.select().from(payouts).where(isDue).orderBy(asc(payouts.id));
  const payoutIds = run.due.map(({ id }) => id);
  const { runId } = await makeRun(office.as("second", at), { payoutIds, ownAccountId: office.ownAccountId });
  run.runId = runId;
  if (run.paid === "not_approved_yet") return;
  await approveRun(office.as("owner", at), { runId });
  await exportRun(office.as("owner", at), { runId, profile: "generic" });
}

async function expectRun(office: Office, bank: Bank, { due, runId, paid }: Run, at: Date): Promise<void> {
  if (paid === "by_hand") {
    const reason = "Seen in the bank's app on the same day.";
    for (const { id: payoutId } of due) {
      const sessionId = Array.from({ length: 30 }, () => randomInt(10)).join("");
      await payByHand(office.as("owner", at), { payoutId, sessionId, reason });
    }
  }
  if (paid === "by_hand" || paid === "one_by_one") {
    for (const { id: payoutId, reference, amountKobo } of due) {
      const part = { kind: "payout" as const, amountKobo, payoutId };
      const narration = `NIP TRF TO ${reference}`;
      bank.expected.push({ at, kobo: -amountKobo, narration, part, rule: "payout_reference" });
    }
  }
  if (paid === "at_once") {
    const amountKobo = due.reduce((sum, payout) => sum + payout.amountKobo, 0n);
    const part = { kind: "payout_run" as const, amountKobo, runId };
    bank.expected.push({ at, kobo: -amountKobo, narration: "BULK PAYMENT", part, rule: "run_total" });
  }
}
