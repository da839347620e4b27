import { createHash, randomBytes, randomUUID } from "node:crypto";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { expect } from "vitest";
import type { z } from "zod";
import { findActor, startSession } from "#server/accounts/sessions.ts";
import { invariants } from "#server/books/checks/invariants.ts";
import { sumOfEntries } from "#server/books/sums.ts";
import { type Db, type DbOrTx, inTransaction, rows } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { paymentReceipts, paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { settings } from "#server/db/schema/settings.ts";
import { submitReceipt } from "#server/features/payments/buying/receipts.ts";
import { beginPurchase, openPaymentPage } from "#server/features/payments/buying/service.ts";
import { declareArrivedKind } from "#server/features/payments/review/second-person.ts";
import { setPaymentStatus } from "#server/features/payments/review/service.ts";
import { newFileKey } from "#server/files/storage.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import type { Check, Violation } from "#server/platform/findings.ts";
import type { setPaymentStatusInput } from "#shared/payments/inputs.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { bankDetailKeys, holdHoursKey } from "#shared/settings/texts.ts";
import { cookieJar, createAdmin, createUser, type TestUser } from "./people.ts";
import { preparedRows } from "./prepared.ts";
import { createProject, type TestProject } from "./projects.ts";

type LedgerAccount = typeof ledgerEntries.$inferSelect.account;
type Books = { db: DbOrTx; clock: Clock };

/** The invariants that don't hold, asked in one statement. */
export async function listViolated({ db, clock }: Books): Promise<Check[]> {
  const each = invariants.map(
    ({ name, query }) => sql`select ${name}::text as name, violation, row from (${query(clock.now())}) found`,
  );
  const found = await preparedRows<Violation & { name: string }>(db, sql.join(each, sql` union all `));
  const byName = Map.groupBy(found, ({ name }) => name);
  return [...byName].map(([name, those]) => ({
    name,
    violations: those.map(({ violation, row }) => ({ violation, row })),
  }));
}

/** The ledger's sums about a payment by account, without those that are nothing. */
export async function sumsOf(db: DbOrTx, paymentId: number): Promise<Record<string, bigint>> {
  const found = await rows<{ account: string; kobo: string }>(
    db,
    sql`select e.account, sum(e.amount_kobo)::text as kobo
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
      where t.payment_id = ${paymentId} group by e.account having sum(e.amount_kobo) <> 0 order by e.account`,
  );
  return Object.fromEntries(found.map(({ account, kobo }) => [account, BigInt(kobo)]));
}

/** Sums an account's entries, or those of them that fulfil a condition, in kobo. */
export async function sumIn(db: DbOrTx, account: LedgerAccount, condition?: SQL): Promise<bigint> {
  const isIt = and(eq(ledgerEntries.account, account), condition);
  const [sum] = await db.select({ kobo: sumOfEntries() }).from(ledgerEntries).where(isIt);
  return sum?.kobo ?? 0n;
}

/** Every test that moves money ends with this: all invariants hold. */
export async function expectMoneyHolds(books: Books): Promise<void> {
  expect(await listViolated(books)).toEqual([]);
}

/** Lots aren't held: tests of holds switch it on. */
export async function setBankDetails(db: Db, accountNumber = "0123456789"): Promise<void> {
  const values = [
    { key: holdHoursKey, value: "0" },
    { key: bankDetailKeys.bankName, value: "Test Bank" },
    { key: bankDetailKeys.accountName, value: "Gona Farms Limited" },
    { key: bankDetailKeys.accountNumber, value: accountNumber },
  ];
  await db.insert(settings).values(values).onConflictDoNothing();
}

/** Returns the context of a person's call, with a real session. */
export async function contextOf(deps: Deps, person: Pick<TestUser, "id" | "isAdmin">): Promise<ActorContext> {
  const from = { device: "Test browser", ipAddress: "203.0.113.7" };
  const kind = person.isAdmin ? "admin" : "backer";
  const actor = await findActor(deps, await startSession(deps, { userId: person.id, kind, isProved: true, ...from }));
  if (!actor) throw new Error("the person can't sign in");
  return { ...deps, actor, ipAddress: from.ipAddress, userAgent: from.device, cookies: cookieJar() };
}

/** A stored file as an upload leaves it: a PNG's first bytes and random ones, so that each has its own hash. */
export async function storeReceiptFile(deps: Deps, content = randomBytes(64)) {
  const bytes = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), content]);
  const key = newFileKey("receipt");
  await deps.storage.write(key, bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { key, sha256, bytes: bytes.length, contentType: "image/png", originalName: "receipt.png" };
}

/** Opens the payment page and agrees to the terms, as a backer does before paying. */
export async function agreeToTerms(deps: Deps, backer: TestUser, projectId: number, lots = 1): Promise<ActorContext> {
  const ctx = await contextOf(deps, backer);
  const { terms, siteTerms, blockedBy } = await openPaymentPage(ctx, { projectId });
  if (blockedBy === "terms") {
    await beginPurchase(ctx, {
      projectId,
      lots,
      termsVersion: terms.version,
      siteTerms: siteTerms.sha256,
      hasReadTerms: true,
    });
  }
  return ctx;
}

/** Agrees to the terms and sends a receipt. */
export async function sendReceipt(
  deps: Deps,
  {
    backer,
    projectId,
    lots = 1,
    idempotencyKey = randomUUID(),
  }: { backer: TestUser; projectId: number; lots?: number; idempotencyKey?: string },
) {
  const ctx = await agreeToTerms(deps, backer, projectId, lots);
  return submitReceipt(ctx, { projectId, lots, idempotencyKey, file: await storeReceiptFile(deps) });
}

/** Sets a status as an owner who has just looked at the payment. */
export async function decide(
  deps: Deps,
  owner: TestUser,
  decision: Omit<z.output<typeof setPaymentStatusInput>, "seenStatus" | "seenReceiptSha256">,
) {
  return setPaymentStatus(await contextOf(deps, owner), { ...(await seen(deps.db, decision.paymentId)), ...decision });
}

/** Declares, as the only owner of a site, that money of a payment came which no line shows. */
export async function declareArrived(
  deps: Deps,
  owner: TestUser,
  { id: paymentId, amountKobo }: { id: number; amountKobo: bigint },
): Promise<void> {
  const ctx = await contextOf(deps, owner);
  const details = { paymentId, amountKobo: String(amountKobo) };
  const [at, reason] = [deps.clock.now(), "It is in the bank's app."];
  const asked = { kind: "declare_arrived" as const, subject: String(paymentId), details, requestedAt: at, reason };
  const decided = { decision: "confirmed" as const, decidedBy: owner.id, decidedAt: at, isAlone: true };
  await inTransaction(deps.db, async (tx) => {
    const [request] = await tx
      .insert(secondPersonRequests)
      .values({ ...asked, ...decided, requestedBy: owner.id })
      .returning();
    await declareArrivedKind.act(tx, ctx, { details, requestId: request?.id ?? 0, reason });
  });
}

/** Rejects an approved payment of which so much came, as the only owner says: that is unallocated. */
export async function rejectArrived(
  deps: Deps,
  owner: TestUser,
  { id: paymentId, amountKobo }: { id: number; amountKobo: bigint },
): Promise<void> {
  await decide(deps, owner, { paymentId, status: "pending" });
  await declareArrived(deps, owner, { id: paymentId, amountKobo });
  await decide(deps, owner, { paymentId, status: "rejected" });
}

/** Returns a decision's input about the payment as an administrator sees it. */
export async function seen(db: Db, paymentId: number) {
  const [row] = await db
    .select({
      paymentId: projectPayments.id,
      seenStatus: projectPayments.status,
      seenReceiptSha256: paymentReceipts.sha256,
    })
    .from(projectPayments)
    .leftJoin(paymentReceipts, eq(paymentReceipts.id, projectPayments.currentReceiptId))
    .where(eq(projectPayments.id, paymentId));
  if (!row) throw new Error("no such payment");
  return row;
}

export async function findPayment(db: DbOrTx, paymentId: number) {
  const [row] = await db.select().from(projectPayments).where(eq(projectPayments.id, paymentId));
  if (!row) throw new Error("no such payment");
  return row;
}

export async function findProject(db: DbOrTx, projectId: number): Promise<TestProject> {
  const [row] = await db.select().from(projects).where(eq(projects.id, projectId));
  if (!row) throw new Error("no such project");
  return row;
}

/** Payments of one project that wait with a receipt that nobody opens, each another person's: for lists of many. */
export async function keepPending(
  db: Db,
  { id: projectId, title: projectTitle, fundingGoalKobo: amountKobo }: TestProject,
  made: { createdAt: Date; reviewBy?: Date }[],
): Promise<number[]> {
  return inTransaction(db, async (tx) => {
    const ids: number[] = [];
    for (const [place, moments] of made.entries()) {
      const { id: userId } = await createUser(db);
      const sha256 = createHash("sha256").update(`${projectId} ${place}`).digest("hex");
      const type = { contentType: "image/png", originalName: "receipt.png", bytes: 1, sha256 };
      const file = { id: randomUUID(), kind: "receipt" as const, storageKey: newFileKey("receipt"), ...type };
      await tx.insert(storedFiles).values({ ...file, uploadedBy: userId });
      const bought = { termsVersion: 1, agreedAt: moments.createdAt, lots: 1, round: 1 };
      const agreed = { ...bought, projectId, userId, reference: `GONA-${projectId}-${place}` };
      await tx.insert(paymentReferences).values({ ...agreed, lotPriceKobo: amountKobo });
      const about = { projectTitle, amountKobo, currentReceiptId: file.id };
      const [payment] = await tx
        .insert(projectPayments)
        .values({ ...about, ...agreed, ...moments })
        .returning();
      const paymentId = payment?.id ?? 0;
      const receipt = { id: file.id, paymentId, userId, fileId: file.id, sha256, idempotencyKey: file.id };
      await tx.insert(paymentReceipts).values(receipt);
      ids.push(paymentId);
    }
    return ids;
  });
}

/** A payment with its receipt, made and decided by the services themselves. */
export async function createPayment(
  deps: Deps,
  given: {
    backer?: TestUser;
    project?: TestProject;
    lots?: number;
    owner?: TestUser;
    status?: PaymentStatus;
    /** Where statements were imported and don't show it. */
    unseenReason?: string | undefined;
  } = {},
) {
  await setBankDetails(deps.db);
  const backer = given.backer ?? (await createUser(deps.db));
  const project = given.project ?? (await createProject(deps.db));
  const owner = given.owner ?? (await createAdmin(deps.db, "owner"));
  const { paymentId } = await sendReceipt(deps, { backer, projectId: project.id, lots: given.lots ?? 1 });
  const { status = "pending", unseenReason } = given;
  if (status !== "pending") {
    await decide(deps, owner, { paymentId, status, ...(unseenReason !== undefined && { unseenReason }) });
  }
  return { payment: await findPayment(deps.db, paymentId), backer, owner, project };
}
