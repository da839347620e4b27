import { and, eq, inArray, isNull } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { ownAccounts, statementLines, statements } from "#server/db/schema/bank.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { users } from "#server/db/schema/users.ts";
import { matchParts } from "#server/features/bank/matching/match-line.ts";
import { matchSureLines } from "#server/features/bank/matching/match-sure-lines.ts";
import type { StatementMapping } from "#shared/bank/statements.ts";
import { bankTexts } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { bookLossTexts } from "#shared/second-person/texts.ts";
import { importFile } from "#tests/support/bank-imports.ts";
import { openTestReplicas, queuedMailsTo } from "#tests/support/deps.ts";
import {
  agreeToTerms,
  contextOf,
  createPayment,
  decide,
  expectMoneyHolds,
  findPayment,
  setBankDetails,
} from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import {
  type Truth,
  tableRows,
  writeCamt,
  writeCsv,
  writeHtml,
  writeMt940,
  writeXlsx,
} from "#tests/support/statement-files.ts";
import { keepLine, type OwnAccount, openOwnAccount, takenBackPart } from "#tests/support/statements.ts";

/** Lines with our reference and the missing amount: matched by the system, and confirmed at once by an owner. */

const { deps, replicas } = await openTestReplicas();
const naira = (amount: number): Kobo => BigInt(amount) * 100n;
let amaka: TestUser;
let ada: TestUser;
let owner: Caller;
let account: OwnAccount;
const today = deps.clock.now().toISOString().slice(0, 10);

beforeAll(async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  owner = await callAs(deps, amaka);
  account = await openOwnAccount(deps, { importedBy: amaka.id });
  await setBankDetails(deps.db);
});
beforeEach(async () => {
  ada = await createUser(deps.db, { fullName: "Adaeze Okafor" });
});
afterEach(async () => {
  await expectMoneyHolds(deps);
  for (const { differenceKobo } of (await owner.bank.overview()).accounts) {
    if (differenceKobo !== null) expect(differenceKobo).toBe(0n);
  }
});

const line = (values: Partial<typeof statementLines.$inferInsert> & { amountKobo: Kobo }) =>
  keepLine(deps, account, { date: today, ...values });
const matchesOf = (lineIds: number[]) =>
  deps.db
    .select()
    .from(lineMatches)
    .where(and(inArray(lineMatches.lineId, lineIds), isNull(lineMatches.undoneAt)));
const readLine = async (id: number) =>
  (await deps.db.select().from(statementLines).where(eq(statementLines.id, id)))[0];
const referenceOf = async (person: TestUser) =>
  (await deps.db.select().from(paymentReferences).where(eq(paymentReferences.userId, person.id))).at(-1)?.reference ??
  "";
const paymentsOf = (person: TestUser) =>
  deps.db.select().from(projectPayments).where(eq(projectPayments.userId, person.id));
const subjectsTo = async (person: TestUser) =>
  (await queuedMailsTo(deps.db, person.email)).map(({ subject }) => subject);

test("each is matched once, whatever number of processes looks at it", async () => {
  const lines: number[] = [];
  const payments: number[] = [];
  for (let index = 0; index < 3; index += 1) {
    const { payment } = await createPayment(deps, { owner: amaka });
    payments.push(payment.id);
    const { amountKobo, reference } = payment;
    lines.push((await line({ amountKobo, reference })).id);
    // Once one of the two is matched, nothing is missing for the other.
    lines.push((await line({ amountKobo, reference })).id);
  }
  await Promise.all([deps, ...replicas].map((process) => matchSureLines(process)));
  await matchSureLines(deps);
  const made = await matchesOf(lines);
  expect(made.map(({ paymentId }) => paymentId).sort()).toEqual(payments.sort());
  for (const match of made) expect(match).toMatchObject({ rule: "our_reference", kind: "payment" });
  const audits = await deps.db.select().from(auditLogs).where(eq(auditLogs.actionType, "match_line"));
  expect(audits.filter(({ details }) => lines.includes(Number((details as { lineId: number }).lineId)))).toHaveLength(
    3,
  );
});

test("an import answers once its lines stand, and says how far the matching is", async () => {
  const own = await openOwnAccount(deps, { importedBy: amaka.id, accountNumber: "3333333330" });
  const { payment } = await createPayment(deps, { backer: ada, owner: amaka });
  const [statement] = await deps.db
    .update(statements)
    .set({ matchedAt: null, newLines: 2, lines: 2 })
    .where(eq(statements.id, own.statementId))
    .returning();
  const { amountKobo, reference } = payment;
  await keepLine(deps, own, { date: today, amountKobo, reference });
  await keepLine(deps, own, { date: today, amountKobo: naira(7), narration: "CASH" });
  const progress = () => owner.bank.importProgress({ statementId: statement?.id ?? 0 });
  expect(await progress()).toEqual({ newLines: 2, matchedLines: 0, isDone: false });
  await Promise.all([deps, ...replicas].map((process) => matchSureLines(process)));
  expect(await progress()).toEqual({ newLines: 2, matchedLines: 1, isDone: true });
  await expect(owner.bank.importProgress({ statementId: 987_654 })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a match that a person undid isn't made again", async () => {
  const { payment } = await createPayment(deps, { backer: ada, owner: amaka });
  const { id } = await line({ amountKobo: payment.amountKobo, reference: payment.reference });
  await matchSureLines(deps);
  const [match] = await matchesOf([id]);
  expect(match).toMatchObject({ paymentId: payment.id });
  await owner.bank.undo({ matchId: match?.id ?? 0, reason: "Another's transfer" });
  await matchSureLines(deps);
  expect(await matchesOf([id])).toEqual([]);
  expect((await readLine(id))?.suggestedRule).toBe("our_reference");
  // Undone after the system had listed the line, and before it locks it.
  const parts = [{ kind: "payment" as const, amountKobo: payment.amountKobo, paymentId: payment.id }];
  const by = await contextOf(deps, amaka);
  const again = deps.db.transaction((tx) =>
    matchParts(tx, by, { lineId: id, seenMatchedKobo: 0n, parts, rule: "our_reference" }),
  );
  await expect(again).rejects.toThrow(bankTexts.lineChanged);
});

test("two transfers under one reference are sure together, each matched once", async () => {
  const { payment } = await createPayment(deps, { backer: ada, owner: amaka });
  const { amountKobo, reference } = payment;
  const lines = [
    (await line({ amountKobo: amountKobo - naira(120_000), reference })).id,
    (await line({ amountKobo: naira(120_000), reference })).id,
  ];
  await Promise.all([deps, ...replicas].map((process) => matchSureLines(process)));
  expect((await matchesOf(lines)).map(({ paymentId, rule }) => [paymentId, rule])).toEqual([
    [payment.id, "our_reference"],
    [payment.id, "our_reference"],
  ]);
  expect(await owner.bank.listSurePayments()).toContainEqual(
    expect.objectContaining({ paymentId: payment.id, isByHand: false, isUnnamed: false }),
  );
});

test("a line of several references is split as it was prepared, and its payments join what is confirmed at once", async () => {
  const { payment: one } = await createPayment(deps, { backer: ada, owner: amaka });
  const { payment: two } = await createPayment(deps, { owner: amaka });
  const amountKobo = one.amountKobo + two.amountKobo;
  const { id: lineId } = await line({
    amountKobo,
    narration: `NIP/ACCESS/COOPERATIVE/${one.reference} ${two.reference}`,
    reference: one.reference,
  });
  await matchSureLines(deps);
  expect(await matchesOf([lineId])).toEqual([]);
  const [candidate] = (await owner.bank.line({ lineId })).candidates;
  if (candidate?.kind !== "split") throw new Error("no split was prepared");
  await owner.bank.match({ lineId, seenMatchedKobo: 0n, parts: candidate.parts.map(({ part }) => part) });
  const ids = [one.id, two.id];
  expect((await owner.bank.line({ lineId })).approvable.toSorted()).toEqual(ids);
  expect(await owner.bank.confirmSurePayments({ paymentIds: ids })).toEqual({
    approved: 2,
    refundsDue: 0,
    refused: [],
  });
});

test("money that was matched by hand is confirmed too, and said to be so", async () => {
  const { payment } = await createPayment(deps, { backer: ada, owner: amaka });
  const { amountKobo } = payment;
  const parts = (kobo: Kobo) => [{ kind: "payment" as const, amountKobo: kobo, paymentId: payment.id }];
  const first = await line({ amountKobo: naira(60_000), narration: "NIP/GTB/HER UNCLE" });
  await owner.bank.match({ lineId: first.id, seenMatchedKobo: 0n, parts: parts(naira(60_000)) });
  expect((await owner.bank.line({ lineId: first.id })).approvable).toEqual([]);
  const rest = await line({ amountKobo: amountKobo - naira(60_000), narration: "NIP/GTB/HER UNCLE" });
  await owner.bank.match({ lineId: rest.id, seenMatchedKobo: 0n, parts: parts(amountKobo - naira(60_000)) });
  expect(await owner.bank.listSurePayments()).toContainEqual(
    expect.objectContaining({ paymentId: payment.id, isByHand: true, isUnnamed: true }),
  );
  expect((await owner.bank.line({ lineId: rest.id })).approvable).toEqual([payment.id]);
  expect((await (await callAs(deps, "manager")).bank.line({ lineId: rest.id })).approvable).toEqual([]);
  expect(await owner.bank.confirmSurePayments({ paymentIds: [payment.id] })).toMatchObject({ approved: 1 });
});

test("a fake receipt has no line, so it isn't sure, and approving it takes a reason", async () => {
  const { payment } = await createPayment(deps, { backer: ada, owner: amaka });
  await line({ amountKobo: naira(499_000), narration: "NIP/GTB/SOMEBODY ELSE" });
  await matchSureLines(deps);
  expect((await owner.bank.listSurePayments()).map(({ paymentId }) => paymentId)).not.toContain(payment.id);
  expect(await owner.bank.confirmSurePayments({ paymentIds: [payment.id] })).toEqual({
    approved: 0,
    refundsDue: 0,
    refused: [{ paymentId: payment.id, why: bankTexts.notSure }],
  });
  await expect(decide(deps, amaka, { paymentId: payment.id, status: "approved" })).rejects.toThrow(
    paymentTexts.unseenReasonMissing,
  );
  expect((await findPayment(deps.db, payment.id)).status).toBe("pending");
});

test("a transfer without a receipt makes its payment, also where the project is closed since, once", async () => {
  const project = await createProject(deps.db);
  await agreeToTerms(deps, ada, project.id);
  await owner.projects.close({ projectId: project.id });
  const { id } = await line({ amountKobo: project.fundingGoalKobo, reference: await referenceOf(ada) });
  await Promise.all([deps, ...replicas].map((process) => matchSureLines(process)));
  const [payment, ...more] = await paymentsOf(ada);
  expect(more).toEqual([]);
  expect(payment).toMatchObject({
    status: "pending",
    currentReceiptId: null,
    lots: 1,
    amountKobo: project.fundingGoalKobo,
  });
  expect(await matchesOf([id])).toMatchObject([{ paymentId: payment?.id, rule: "our_reference", madeBy: amaka.id }]);
  expect((await subjectsTo(ada)).filter((subject) => subject.startsWith("Your transfer has arrived"))).toHaveLength(1);
  expect(await owner.bank.listSurePayments()).toContainEqual(
    expect.objectContaining({ paymentId: payment?.id, hasReceipt: false, hasLots: true, backerName: "Adaeze Okafor" }),
  );
});

test("no payment is made for an account that was closed", async () => {
  const project = await createProject(deps.db);
  await agreeToTerms(deps, ada, project.id);
  const reference = await referenceOf(ada);
  await deps.db.update(users).set({ closedAt: deps.clock.now(), passwordHash: null }).where(eq(users.id, ada.id));
  const amountKobo = project.fundingGoalKobo;
  const { id: lineId } = await line({ amountKobo, reference });
  await matchSureLines(deps);
  expect(await matchesOf([lineId])).toEqual([]);
  expect((await readLine(lineId))?.suggestedRule).not.toBe("our_reference");
  expect((await owner.bank.line({ lineId })).candidates.map(({ kind }) => kind)).not.toContain("purchase");
  const parts = [{ kind: "purchase" as const, amountKobo, reference }];
  await expect(owner.bank.match({ lineId, seenMatchedKobo: 0n, parts })).rejects.toThrow(bankTexts.payerClosed);
  expect(await paymentsOf(ada)).toEqual([]);
});

test("seven confirmed at once, of which two found their lots gone: five are approved, two refunds are due", async () => {
  const sold = await createProject(deps.db, { lots: 3, minimumLots: 1, fundingGoalKobo: naira(300_000) });
  const ids: number[] = [];
  const pay = async (project: typeof sold, backer = ada) => {
    const { payment } = await createPayment(deps, { project, backer, owner: amaka });
    ids.push(payment.id);
    return payment;
  };
  const backers = await Promise.all(Array.from({ length: 5 }, () => createUser(deps.db)));
  const ofRound = [];
  for (const backer of backers) ofRound.push(await pay(sold, backer));
  const others = [await pay(await createProject(deps.db)), await pay(await createProject(deps.db))];
  // The lines come in another order than the receipts: the money's arrival counts.
  for (const { amountKobo, reference } of [...ofRound.toReversed(), ...others]) await line({ amountKobo, reference });
  await matchSureLines(deps);
  const listed = (await owner.bank.listSurePayments())
    .map(({ paymentId }) => paymentId)
    .filter((id) => ids.includes(id));
  expect(listed).toEqual([...ofRound.toReversed(), ...others].map(({ id }) => id));
  expect(await owner.bank.confirmSurePayments({ paymentIds: ids })).toEqual({
    approved: 5,
    refundsDue: 2,
    refused: [],
  });
  const late = [ofRound[1], ofRound[0]].flatMap((payment) => payment?.id ?? []);
  for (const id of ids) {
    expect((await findPayment(deps.db, id)).status).toBe(late.includes(id) ? "rejected" : "approved");
  }
  const due = await deps.db.select().from(refunds).where(inArray(refunds.paymentId, ids));
  expect(due.map(({ reason, amountKobo }) => [reason, amountKobo])).toEqual([
    ["lots_gone", naira(100_000)],
    ["lots_gone", naira(100_000)],
  ]);
  expect((await findPayment(deps.db, late[0] ?? 0)).rejectionReason).toBe(bankTexts.lotsGone);
  // Nothing is left to confirm, and confirming again changes nothing.
  const again = await owner.bank.confirmSurePayments({ paymentIds: ids });
  expect([again.approved, again.refundsDue, again.refused.length]).toEqual([0, 0, 7]);
});

test("what the bank takes back after it was given back takes two people to book as a loss", async () => {
  const { payment } = await createPayment(deps, { backer: ada, owner: amaka });
  await line({ amountKobo: payment.amountKobo, reference: payment.reference });
  await matchSureLines(deps);
  await decide(deps, amaka, { paymentId: payment.id, status: "rejected", isGivenBack: true });
  const debit = await line({ amountKobo: -payment.amountKobo, narration: "RVSL NIP" });
  const part = await takenBackPart(deps.db, { paymentId: payment.id, amountKobo: payment.amountKobo });
  await expect(owner.bank.match({ lineId: debit.id, seenMatchedKobo: 0n, parts: [part] })).rejects.toThrow(
    bankTexts.moreThanArrived(0n),
  );
  const details = { lineId: debit.id, paymentId: payment.id, amountKobo: payment.amountKobo.toString() };
  const reason = "The bank took it back after we had returned it.";
  const ask = (amountKobo = details.amountKobo) =>
    owner.secondPerson.ask({ kind: "book_loss", details: { ...details, amountKobo }, reason });
  await expect(ask((payment.amountKobo + 1n).toString())).rejects.toThrow(bankTexts.moreThanRest(payment.amountKobo));
  const half = await line({ amountKobo: -payment.amountKobo * 2n, narration: "RVSL NIP" });
  await expect(
    owner.secondPerson.ask({
      kind: "book_loss",
      details: { ...details, lineId: half.id, amountKobo: (payment.amountKobo + 1n).toString() },
      reason,
    }),
  ).rejects.toThrow(bookLossTexts.tooMuch("₦500,000"));
  await ask();
  expect(await matchesOf([debit.id])).toEqual([]);
  const tunde = await callAs(deps, await createAdmin(deps.db, "owner"));
  const request = (await tunde.secondPerson.list()).requests.find(({ title }) => title.startsWith("Book ₦500,000"));
  await tunde.secondPerson.confirm({ requestId: request?.id ?? 0 });
  expect(await matchesOf([debit.id])).toMatchObject([{ kind: "loss", paymentId: payment.id, reason }]);
  const lost = await deps.db.select().from(ledgerEntries).where(eq(ledgerEntries.account, "losses"));
  expect(lost.map(({ amountKobo }) => amountKobo)).toEqual([payment.amountKobo]);
  const [match] = await matchesOf([debit.id]);
  await owner.bank.undo({ matchId: match?.id ?? 0, reason: "It was another's" });
  expect((await readLine(debit.id))?.matchedKobo).toBe(0n);
});

test("six banks in one evening: each difference is nothing, each sure line is matched", async () => {
  const evening = "2026-11-20";
  const ctx = await contextOf(deps, amaka);
  const style = {
    day: "slashes",
    money: "grouped",
    isNewestFirst: false,
    hasPreamble: false,
    hasClosing: false,
    emptyCell: "",
  } as const;
  type Statement = { openingKobo: Kobo; truths: Truth[] };
  const table = (layout: number) => (statement: Statement) => tableRows(statement, { ...style, layout });
  const banks: [string, (statement: Statement, number: string) => Uint8Array | Promise<Uint8Array>][] = [
    ["GTBank", (statement) => Buffer.from(writeHtml(table(0)(statement)))],
    ["Access Bank", (statement) => Buffer.from(writeCsv(table(1)(statement)))],
    ["Zenith Bank", (statement) => writeXlsx(statement, { ...style, layout: 2 }, { isTyped: true })],
    ["UBA", (statement) => Buffer.from(writeCsv(table(4)(statement), ";"))],
    ["First Bank", (statement, number) => Buffer.from(writeMt940(statement).replace(/:25:.*/, `:25:${number}`))],
    ["Stanbic IBTC", (statement, number) => Buffer.from(writeCamt(statement).replaceAll("0123456789", number))],
  ];
  for (const [index, [bankName, write]] of banks.entries()) {
    const accountNumber = `22000000${index}0`;
    const [own] = await deps.db
      .insert(ownAccounts)
      .values({ bankName, accountName: "Gona Farms Limited", accountNumber, isActive: false })
      .returning();
    const accountId = own?.id ?? 0;
    const { payment } = await createPayment(deps, { owner: amaka });
    const truth = (amountKobo: Kobo, narration: string): Truth => ({
      date: evening,
      valueDate: evening,
      amountKobo,
      narration,
      bankReference: `E${index}${narration.length}`,
    });
    const statement = {
      openingKobo: naira(1000 + index),
      truths: [truth(payment.amountKobo, `NIP/ACCESS/PAYER/${payment.reference}`), truth(-naira(50), "STAMP DUTY")],
    };
    const file = await write(statement, accountNumber);
    const asked = await importFile(ctx, { accountId, file, mapping: undefined });
    const mapping: StatementMapping | undefined =
      asked.kind === "asks" ? (asked.mapping?.mapping ?? undefined) : undefined;
    if (asked.kind !== "imported") {
      expect(await importFile(ctx, { accountId, file, mapping, openingNaira: String(1000 + index) })).toMatchObject({
        kind: "imported",
        newLines: 2,
      });
    }
    await matchSureLines(deps);
    const overview = (await owner.bank.overview()).accounts.find(({ id }) => id === accountId);
    expect(overview).toMatchObject({
      bankKobo: naira(1000 + index - 50) + payment.amountKobo,
      differenceKobo: 0n,
      counts: { matched: 1, suggested: 1 },
    });
    expect((await owner.bank.listSurePayments()).map(({ paymentId }) => paymentId)).toContain(payment.id);
  }
});
