import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { inTransaction } from "#server/db/open.ts";
import { type statementLines, statements } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { paymentReferences } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { keepStatement } from "#server/features/bank/importing/import-statement.ts";
import { refreshSuggestions } from "#server/features/bank/matching/suggestions.ts";
import { undoOne } from "#server/features/bank/matching/undo-match.ts";
import { payBySurplus } from "#server/features/bank/matching/use-surplus.ts";
import { readStatement } from "#server/features/bank/statements/read.ts";
import { submitReceipt } from "#server/features/payments/buying/receipts.ts";
import { beginPurchase, reduceToArrived } from "#server/features/payments/buying/service.ts";
import { setPaymentStatus } from "#server/features/payments/review/service.ts";
import { giveUnallocatedBack, takeRefundBack } from "#server/features/payments/unallocated/service.ts";
import { makeRun } from "#server/features/payouts/runs/make.ts";
import { deleteProject } from "#server/features/projects/service.ts";
import { newFileKey } from "#server/files/storage.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import type { VoidBankDataDetails } from "#shared/bank/voids.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { accessMapping, csvOf, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { decide, findPayment, seen } from "#tests/support/money.ts";
import { confirming, isDone, matching, openPairs, type Pair, playPairs, type Write } from "#tests/support/pairs.ts";
import { giveAccount } from "#tests/support/payouts.ts";
import { addPending, type Member, receiptNamed, type Scene, sellInLots } from "#tests/support/race-scene.ts";
import { siteTermsOf } from "#tests/support/site-terms.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "#tests/support/statements.ts";

/** As interleavings.test.ts, for what meets where the bank's statement is imported and its lines are matched. */

const deps = await openPairs();

type Line = typeof statementLines.$inferSelect;

/** An own account with its first statement, and a credit of each of these amounts, whose narration begins so. */
const namedCredits = async (scene: Scene, named: string, ...amounts: bigint[]): Promise<Line[]> => {
  const account: OwnAccount = await openOwnAccount(deps, { importedBy: scene.amaka.id });
  const kept: Line[] = [];
  for (const [index, amountKobo] of amounts.entries()) {
    kept.push(await keepLine(deps, account, { amountKobo, position: index, narration: `${named} ${index}` }));
  }
  return kept;
};
const credits = (scene: Scene, ...amounts: bigint[]) => namedCredits(scene, "NIP", ...amounts);
/** The same of transfers that name the payment. */
const creditsOf = async (scene: Scene, paymentId: number, ...amounts: bigint[]) =>
  namedCredits(scene, `NIP ${(await findPayment(deps.db, paymentId)).reference}`, ...amounts);
/** Undoes the match of a line. */
const undo = async (by: Member, { id }: Line): Promise<Write> => {
  const [made] = await deps.db.select().from(lineMatches).where(eq(lineMatches.lineId, id));
  const undone = { matchId: made?.id ?? 0, reason: "Another's money" };
  return { by, run: (ctx) => inTransaction(ctx.db, (tx) => undoOne(tx, ctx, undone)) };
};
const forPayment = (paymentId: number, amountKobo: bigint): LinePart => ({ kind: "payment", paymentId, amountKobo });
const setStatus = async (by: Member, paymentId: number, status: PaymentStatus, more = {}): Promise<Write> => {
  const look = await seen(deps.db, paymentId);
  return { by, run: (ctx) => setPaymentStatus(ctx, { ...look, status, unseenReason: "Known to us", ...more }) };
};
const priceOf = async (paymentId: number): Promise<bigint> => (await findPayment(deps.db, paymentId)).amountKobo;
const sentBack = (amountKobo: bigint): LinePart => ({ kind: "sent_back", amountKobo, reason: "A wrong number" });
/** Ada's payment, of one of four lots, and a credit of its amount, which names it or nobody. */
const paid = async (scene: Scene, { isNamed = true } = {}) => {
  await sellInLots(scene, 4, 2);
  const payment = await addPending(scene, scene.ada);
  const amountKobo = await priceOf(payment);
  const [credit] = isNamed ? await creditsOf(scene, payment, amountKobo) : await credits(scene, amountKobo);
  return { payment, amountKobo, credit: credit as Line };
};
/** The transaction of an import, with its file read before. */
const importing = async (by: Member, accountId: number, amountKobo: bigint): Promise<Write> => {
  const content = csvOf({ openingKobo: 0n, truths: [line("2026-11-05", amountKobo, "NIP/ADA")] });
  const statement = await readStatement(content, accessMapping);
  if (statement.kind !== "read") throw new Error("the statement can't be read");
  const file = {
    key: newFileKey("statement"),
    sha256: "0".repeat(64),
    bytes: content.length,
    originalName: "statement.csv",
  };
  const given = { accountId, mapping: accessMapping, openingKobo: null, statement, file };
  return { by, run: (ctx) => inTransaction(ctx.db, (tx) => keepStatement(tx, ctx, given)) };
};

/** Two say that money of a payment arrived. */
const arriving = (scene: Scene, paymentId: number, amountKobo: bigint): Promise<Write> =>
  confirming(scene, { kind: "declare_arrived", details: { paymentId, amountKobo: String(amountKobo) } });

/** Ada's payment, said to have arrived before the first statement; and two credits of its amount. */
const saidBefore = async (scene: Scene, { isRejected = true } = {}) => {
  await sellInLots(scene, 4, 2);
  const payment = await addPending(scene, scene.ada);
  const amountKobo = await priceOf(payment);
  await isDone(scene, await arriving(scene, payment, amountKobo));
  if (isRejected) await decide(deps, scene.amaka, { paymentId: payment, status: "rejected" });
  const [credit, other] = await creditsOf(scene, payment, amountKobo, amountKobo);
  return { payment, amountKobo, credit: credit as Line, other: other as Line };
};

/** Amaka asks to void bank data, and Tunde confirms it. */
const voiding = (scene: Scene, details: VoidBankDataDetails): Promise<Write> =>
  confirming(scene, { kind: "void_bank_data", details });

/** Ada's approved payment, which twice its amount has come of in one transfer that names it; and a later one. */
const surplus = async (scene: Scene) => {
  await sellInLots(scene, 4, 2);
  const payment = await addPending(scene, scene.ada);
  const amountKobo = await priceOf(payment);
  const [credit, other] = (await creditsOf(scene, payment, amountKobo * 2n, amountKobo)) as [Line, Line];
  await isDone(scene, matching(scene.amaka, credit, forPayment(payment, amountKobo * 2n)));
  await decide(deps, scene.amaka, { paymentId: payment, status: "approved" });
  const siteTerms = await siteTermsOf(deps);
  const wanted = { paymentId: payment, lots: 1, termsVersion: 1, siteTerms, hasReadTerms: true as const };
  const using: Write = { by: scene.ada, run: (ctx) => inTransaction(ctx.db, (tx) => payBySurplus(tx, ctx, wanted)) };
  return { payment, amountKobo, credit, other, using };
};

const pairs: Record<string, Pair> = {
  "one credit is matched with two payments": async (scene) => {
    const { payment, amountKobo, credit } = await paid(scene);
    const other = await addPending(scene, scene.bola);
    return [
      matching(scene.amaka, credit, forPayment(payment, amountKobo)),
      matching(scene.tunde, credit, forPayment(other, amountKobo)),
    ];
  },
  "two credits are matched with one payment": async (scene) => {
    await sellInLots(scene, 4, 2);
    const payment = await addPending(scene, scene.ada);
    const half = (await priceOf(payment)) / 2n;
    const [one, other] = await credits(scene, half, half);
    return [
      matching(scene.amaka, one as Line, forPayment(payment, half)),
      matching(scene.tunde, other as Line, forPayment(payment, half)),
    ];
  },
  "a credit is matched, and its payment approved": async (scene) => {
    const { payment, amountKobo, credit } = await paid(scene);
    return [
      matching(scene.amaka, credit, forPayment(payment, amountKobo)),
      await setStatus(scene.tunde, payment, "approved"),
    ];
  },
  "a credit is matched, and its payment rejected and given back": async (scene) => {
    const { payment, amountKobo, credit } = await paid(scene);
    return [
      matching(scene.amaka, credit, forPayment(payment, amountKobo)),
      await setStatus(scene.tunde, payment, "rejected", { isGivenBack: true }),
    ];
  },
  "a credit is matched, and its payment's project deleted": async (scene) => {
    const { payment, amountKobo, credit } = await paid(scene);
    return [
      matching(scene.amaka, credit, forPayment(payment, amountKobo)),
      { by: scene.tunde, run: (ctx) => deleteProject(ctx, { projectId: scene.project.id }) },
    ];
  },
  "a credit is matched with a purchase, and its receipt sent": async (scene) => {
    await sellInLots(scene, 4, 2);
    const { id: projectId } = scene.project;
    const begun = {
      projectId,
      lots: 1,
      termsVersion: 1,
      siteTerms: await siteTermsOf(deps),
      hasReadTerms: true as const,
    };
    await isDone(scene, { by: scene.ada, run: (ctx) => beginPurchase(ctx, begun) });
    const [given] = await deps.db.select().from(paymentReferences);
    const { reference = "", lotPriceKobo } = given ?? {};
    const amountKobo = lotPriceKobo ?? 0n;
    const [credit] = await credits(scene, amountKobo);
    const file = await receiptNamed(scene, "receipt");
    const idempotencyKey = randomUUID();
    return [
      matching(scene.amaka, credit as Line, { kind: "purchase", reference, amountKobo }),
      { by: scene.ada, run: (ctx) => submitReceipt(ctx, { projectId, lots: 1, idempotencyKey, file }) },
    ];
  },
  "a credit is picked for who agreed to buy, and matched with another's payment": async (scene) => {
    await sellInLots(scene, 4, 2);
    const begun = {
      projectId: scene.project.id,
      lots: 1,
      termsVersion: 1,
      siteTerms: await siteTermsOf(deps),
      hasReadTerms: true as const,
    };
    await isDone(scene, { by: scene.ada, run: (ctx) => beginPurchase(ctx, begun) });
    const [given] = await deps.db.select().from(paymentReferences);
    const { reference = "", lotPriceKobo: amountKobo = 0n } = given ?? {};
    const other = await addPending(scene, scene.bola);
    const [credit] = await credits(scene, amountKobo);
    return [
      matching(scene.amaka, credit as Line, { kind: "purchase", reference, amountKobo }),
      matching(scene.tunde, credit as Line, forPayment(other, amountKobo)),
    ];
  },
  "a credit goes back to its sender, and is matched with a payment": async (scene) => {
    const { payment, amountKobo, credit } = await paid(scene, { isNamed: false });
    return [
      matching(scene.amaka, credit, sentBack(amountKobo)),
      matching(scene.tunde, credit, forPayment(payment, amountKobo)),
    ];
  },
  "two parts of a credit go back to its sender": async (scene) => {
    const [credit] = await credits(scene, 200_00n);
    return [scene.amaka, scene.tunde].map((by) => matching(by, credit as Line, sentBack(100_00n))) as [Write, Write];
  },
  "that a credit goes back is undone, and its sender's account confirmed": async (scene) => {
    const [credit] = await credits(scene, 200_00n);
    const line = credit as Line;
    await isDone(scene, matching(scene.amaka, line, sentBack(200_00n)));
    const account = { bankCode: "044", accountNumber: "0690000032", accountName: "Zed Traders" };
    const asked = { kind: "enter_payee_account" as const, details: { lineId: line.id, ...account } };
    return [await undo(scene.amaka, line), await confirming(scene, asked)];
  },
  "that a credit goes back is undone, and a run of it made": async (scene) => {
    const [credit] = await credits(scene, 200_00n);
    const line = credit as Line;
    await isDone(scene, matching(scene.amaka, line, sentBack(200_00n)));
    await giveAccount(deps, { lineId: line.id }, { addedBy: scene.amaka.id, accountNumber: "0690000032" });
    const [due] = await deps.db.select().from(payouts).where(eq(payouts.lineId, line.id));
    const run = { payoutIds: [due?.id ?? 0], ownAccountId: line.ownAccountId ?? 0 };
    return [await undo(scene.amaka, line), { by: scene.tunde, run: (ctx) => makeRun(ctx, run) }];
  },
  "what is held is given back, and its payment approved": async (scene) => {
    const { payment, amountKobo, credit } = await paid(scene);
    await isDone(scene, matching(scene.amaka, credit, forPayment(payment, amountKobo)));
    await decide(deps, scene.amaka, { paymentId: payment, status: "rejected" });
    return [
      {
        by: scene.amaka,
        run: (ctx) => giveUnallocatedBack(ctx, { paymentId: payment, seenUnallocatedKobo: amountKobo }),
      },
      await setStatus(scene.tunde, payment, "approved"),
    ];
  },
  "what is held is given back, and its match undone": async (scene) => {
    const { payment, amountKobo, credit } = await paid(scene);
    await isDone(scene, matching(scene.amaka, credit, forPayment(payment, amountKobo)));
    await decide(deps, scene.amaka, { paymentId: payment, status: "rejected" });
    return [
      {
        by: scene.amaka,
        run: (ctx) => giveUnallocatedBack(ctx, { paymentId: payment, seenUnallocatedKobo: amountKobo }),
      },
      await undo(scene.tunde, credit),
    ];
  },
  "two give back what no line names, and its match is undone": async (scene) => {
    const { payment, amountKobo, credit } = await paid(scene, { isNamed: false });
    await isDone(scene, matching(scene.amaka, credit, forPayment(payment, amountKobo)));
    await decide(deps, scene.amaka, { paymentId: payment, status: "rejected" });
    const details = { paymentId: payment, seenUnallocatedKobo: String(amountKobo) };
    return [await confirming(scene, { kind: "give_unallocated_back", details }), await undo(scene.amaka, credit)];
  },
  "a refund of a surplus is taken back, and a match of its payment undone": async (scene) => {
    await sellInLots(scene, 4, 2);
    const payment = await addPending(scene, scene.ada);
    const amountKobo = await priceOf(payment);
    const [whole, more] = await credits(scene, amountKobo, 500_00n);
    await isDone(scene, matching(scene.amaka, whole as Line, forPayment(payment, amountKobo)));
    await isDone(scene, matching(scene.amaka, more as Line, forPayment(payment, 500_00n)));
    await decide(deps, scene.amaka, { paymentId: payment, status: "approved" });
    const [refund] = await deps.db.select().from(refunds).where(eq(refunds.paymentId, payment));
    return [
      { by: scene.amaka, run: (ctx) => takeRefundBack(ctx, { refundId: refund?.id ?? 0, reason: "A mistake" }) },
      await undo(scene.tunde, more as Line),
    ];
  },
  "a surplus pays for another lot, and a line is matched with its payment": async (scene) => {
    const { payment, amountKobo, other, using } = await surplus(scene);
    return [using, matching(scene.tunde, other, forPayment(payment, amountKobo))];
  },
  "a surplus pays for another lot, and its match is undone": async (scene) => {
    const { credit, using } = await surplus(scene);
    return [using, await undo(scene.tunde, credit)];
  },
  "a payment is reduced to what has arrived, and its rest is matched": async (scene) => {
    await sellInLots(scene, 4, 2);
    const payment = await addPending(scene, scene.ada, 2);
    const half = (await priceOf(payment)) / 2n;
    const [first, rest] = await credits(scene, half, half);
    await isDone(scene, matching(scene.amaka, first as Line, forPayment(payment, half)));
    return [
      { by: scene.ada, run: (ctx) => reduceToArrived(ctx, { paymentId: payment, lots: 1 }) },
      matching(scene.tunde, rest as Line, forPayment(payment, half)),
    ];
  },
  "a payment is declared to have arrived, and a credit matched with it": async (scene) => {
    const { payment, amountKobo, credit } = await paid(scene);
    return [await arriving(scene, payment, amountKobo), matching(scene.amaka, credit, forPayment(payment, amountKobo))];
  },
  "a line shows what was said to have arrived, and it becomes due": async (scene) => {
    const { payment, amountKobo, credit } = await saidBefore(scene);
    return [
      matching(scene.amaka, credit, forPayment(payment, amountKobo)),
      {
        by: scene.tunde,
        run: (ctx) => giveUnallocatedBack(ctx, { paymentId: payment, seenUnallocatedKobo: amountKobo }),
      },
    ];
  },
  "a line shows what was said to have arrived, and its payment is approved": async (scene) => {
    const { payment, amountKobo, credit } = await saidBefore(scene, { isRejected: false });
    return [
      matching(scene.amaka, credit, forPayment(payment, amountKobo)),
      await setStatus(scene.tunde, payment, "approved"),
    ];
  },
  "two lines show what was said to have arrived": async (scene) => {
    const { payment, amountKobo, credit, other } = await saidBefore(scene);
    return [
      matching(scene.amaka, credit, forPayment(payment, amountKobo)),
      matching(scene.tunde, other, forPayment(payment, amountKobo)),
    ];
  },
  "the first statement opens an account, and money is said to have arrived": async (scene) => {
    await sellInLots(scene, 4, 2);
    const payment = await addPending(scene, scene.ada);
    const account = await keepOwnAccount(deps.db);
    const said = await arriving(scene, payment, await priceOf(payment));
    return [await importing(scene.amaka, account, 5_000_000n), said];
  },
  "the first statement opens an account, and a payment is approved": async (scene) => {
    await sellInLots(scene, 4, 2);
    const payment = await addPending(scene, scene.ada);
    const account = await keepOwnAccount(deps.db);
    return [await importing(scene.amaka, account, 5_000_000n), await setStatus(scene.tunde, payment, "approved")];
  },
  "one statement is imported twice": async (scene) => {
    const account = await keepOwnAccount(deps.db);
    return [await importing(scene.amaka, account, 5_000_000n), await importing(scene.tunde, account, 5_000_000n)];
  },
  "a statement is void, and a credit of it matched": async (scene) => {
    const { payment, amountKobo, credit } = await paid(scene);
    return [
      await voiding(scene, { what: "statement", statementId: credit.statementId }),
      matching(scene.amaka, credit, forPayment(payment, amountKobo)),
    ];
  },
  "a line is void, and the match of it undone": async (scene) => {
    const { payment, amountKobo, credit } = await paid(scene);
    const write = await voiding(scene, { what: "line", lineId: credit.id });
    await isDone(scene, matching(scene.amaka, credit, forPayment(payment, amountKobo)));
    return [write, await undo(scene.amaka, credit)];
  },
  "a statement is void, and the same file imported": async (scene) => {
    const account = await keepOwnAccount(deps.db);
    await isDone(scene, await importing(scene.amaka, account, 5_000_000n));
    const [kept] = await deps.db.select().from(statements);
    return [
      await voiding(scene, { what: "statement", statementId: kept?.id ?? 0 }),
      await importing(scene.amaka, account, 5_000_000n),
    ];
  },
  "a line is void, and what lines may be is looked for": async (scene) => {
    const { credit } = await paid(scene);
    return [
      await voiding(scene, { what: "line", lineId: credit.id }),
      { by: scene.amaka, run: async (ctx) => void (await refreshSuggestions(ctx.db)) },
    ];
  },
};

playPairs(deps, pairs);
