import { randomBytes, randomUUID } from "node:crypto";
import { postApproval } from "#server/books/events/payments.ts";
import type { Tx } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { holds } from "#server/db/schema/holds.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { paymentReceipts, paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { makeReceipts } from "#server/features/papers/service.ts";
import { supportByPayment } from "#server/features/projects/backings/service.ts";
import { countApprovedLots, countHeldLots, findRound } from "#server/features/projects/rounds/service.ts";
import { formatDate } from "#shared/dates.ts";
import { afterWorkingDays, dayMs } from "#shared/lagos-time.ts";
import { formatNaira, type Kobo, nairaToKobo } from "#shared/money.ts";
import type { DemoFarm, DemoPaper } from "./demo-data.ts";
import type { Person, StoreFile } from "./seed-office.ts";

/** A one-page PDF of a paper, which says that it is none. ASCII only. */
export function demoPdf(lines: DemoPaper): Uint8Array {
  const escaped = (text: string) =>
    text.replace(/[^\x20-\x7e]/g, "-").replace(/[\\()]/g, (character) => `\\${character}`);
  const texts = [
    `/F1 22 Tf 50 760 Td (${escaped(lines.title)}) Tj`,
    "/F1 11 Tf 0 -26 Td (Made for the demo. Not a real paper.) Tj",
    ...lines.rows.flatMap(([label, value], index) => [
      `/F1 11 Tf 0 ${index === 0 ? -44 : -34} Td (${escaped(label)}) Tj`,
      `/F1 15 Tf 0 -18 Td (${escaped(value)}) Tj`,
    ]),
  ];
  const content = `q 0.12 0.36 0.23 rg 0 800 595 42 re f Q\nBT\n${texts.join("\n")}\nET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let file = "%PDF-1.4\n";
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(file.length);
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\n`;
  return new TextEncoder().encode(`${file}${end}startxref\n${file.length}\n%%EOF\n`);
}

const round = 1;

/** Real references never begin like this, because their letters leave out O. */
export const demoReferencePrefix = "GONA-DEMO-";

/** A planned payment of the demo. The database's own rules check that it adds up. */
export type DemoPayment = {
  farm: DemoFarm & { projectId: number };
  lots: number;
  user: Person;
  status: "pending" | "approved" | "rejected";
  daysAgo: number;
  reason?: string;
};

type NewReference = { projectId: number; userId: string; lots: number; at: Date; retiredAt?: Date | null };

/** Writes that a person agreed to buy lots of a first round, and gives the reference of their purchase. */
export async function insertDemoReference(
  tx: Tx,
  { projectId, userId, lots, at, retiredAt = null }: NewReference,
): Promise<string> {
  const reference = `${demoReferencePrefix}${randomBytes(4).toString("hex").toUpperCase()}`;
  const { lotPriceKobo } = await findRound(tx, { projectId, round });
  const agreed = { round, termsVersion: 1, lots, lotPriceKobo, agreedAt: at, createdAt: at };
  await tx.insert(paymentReferences).values({ projectId, userId, reference, retiredAt, ...agreed });
  return reference;
}

/** Writes a hold that stands, and counts its lots. */
export async function insertDemoHold(tx: Tx, hold: Omit<typeof holds.$inferInsert, "round">): Promise<void> {
  await tx.insert(holds).values({ ...hold, round });
  await countHeldLots(tx, await findRound(tx, { projectId: hold.projectId, round }), hold.lots);
}

type Input = DemoPayment & {
  owner: Person;
  now: Date;
  storeFile: StoreFile;
};

/** A payment of the demo that the bank's statement shows, and that an owner approves then. */
export type SeenPayment = { id: number; reference: string; amountKobo: Kobo };

/**
 * Writes a payment with its receipt and, if approved, its ledger rows, funding and backing. One that an owner approves only
 * once the bank shows it is written as it waits.
 */
export async function insertDemoPayment(tx: Tx, given: Input & { isSeenFirst: boolean }): Promise<SeenPayment> {
  const isDecidedNow = given.status !== "approved" || !given.isSeenFirst;
  const input = isDecidedNow ? given : { ...given, status: "pending" as const };
  const { farm, lots, user, status, owner, now } = input;
  const sentAt = new Date(now.getTime() - input.daysAgo * dayMs);
  const retiredAt = status === "approved" ? sentAt : null;
  const reference = await insertDemoReference(tx, {
    projectId: farm.projectId,
    userId: user.id,
    lots,
    at: sentAt,
    retiredAt,
  });
  const amountKobo = (nairaToKobo(farm.goalNaira) / BigInt(farm.lots)) * BigInt(lots);
  const receiptId = randomUUID();
  const receipt = demoPdf({
    title: "Transfer receipt",
    rows: [
      ["From", user.fullName],
      ["Amount", formatNaira(amountKobo).replace("₦", "NGN ")],
      ["Reference", reference],
      ["For", farm.title],
      ["Date", formatDate(sentAt)],
    ],
  });
  const { key, sha256 } = await input.storeFile(receipt, "receipt");
  const [file] = await tx
    .insert(storedFiles)
    .values({
      kind: "receipt",
      storageKey: key,
      sha256,
      bytes: receipt.length,
      contentType: "application/pdf",
      originalName: "transfer-receipt.pdf",
      uploadedBy: user.id,
      createdAt: sentAt,
    })
    .returning({ id: storedFiles.id });
  const [payment] = await tx
    .insert(projectPayments)
    .values({
      projectId: farm.projectId,
      projectTitle: farm.title,
      userId: user.id,
      amountKobo,
      agreedAt: sentAt,
      reference,
      status,
      round,
      lots,
      termsVersion: 1,
      rejectionReason: input.reason ?? null,
      currentReceiptId: receiptId,
      decidedBy: status === "pending" ? null : owner.id,
      decidedAt: status === "pending" ? null : sentAt,
      createdAt: sentAt,
      updatedAt: sentAt,
    })
    .returning();
  if (!file || !payment) throw new Error("the demo payment was not written");
  await tx.insert(paymentReceipts).values({
    id: receiptId,
    paymentId: payment.id,
    userId: user.id,
    fileId: file.id,
    sha256,
    idempotencyKey: randomUUID(),
    createdAt: sentAt,
  });
  const seen = { id: payment.id, reference, amountKobo };
  if (!isDecidedNow) return seen;
  if (status === "pending") {
    const held = { projectId: farm.projectId, userId: user.id, lots, reference, hasReceipt: true, createdAt: sentAt };
    await insertDemoHold(tx, { ...held, until: afterWorkingDays(sentAt, 3) });
  }
  if (status === "approved") await insertApproval(tx, { ...input, payment, sentAt });
  const eventKey =
    status === "pending"
      ? `receipt:${receiptId}`
      : `payment:${payment.id}:${status}:${await auditDecision(tx, { ...input, payment, sentAt })}`;
  await tx.insert(notifications).values({
    userId: status === "pending" ? owner.id : user.id,
    kind: status === "pending" ? "receipt_submitted" : "payment_status",
    title: status === "pending" ? "New payment receipt" : `Payment ${status}`,
    content:
      status === "pending"
        ? `${user.fullName} sent a receipt for "${farm.title}".`
        : `Your payment for "${farm.title}" was ${status}.`,
    projectId: farm.projectId,
    eventKey,
    emailSent: true,
    createdAt: sentAt,
  });
  return seen;
}

type Decision = Input & { payment: typeof projectPayments.$inferSelect; sentAt: Date };

async function insertApproval(tx: Tx, { farm, lots, user, owner, payment, sentAt: at }: Decision): Promise<void> {
  const { projectId, title } = farm;
  await supportByPayment(tx, { projectId, userId: user.id, at });
  await postApproval(tx, { payment, project: { id: projectId, title }, writtenOffKobo: 0n, actorId: owner.id, at });
  await countApprovedLots(tx, await findRound(tx, { projectId, round }), lots, at);
  await makeReceipts(tx, [payment.id], at);
}

/** Returns the audit entry's id, which names the event. */
async function auditDecision(
  tx: Tx,
  { farm, lots, owner, status, payment, sentAt }: Decision,
): Promise<number | undefined> {
  const [entry] = await tx
    .insert(auditLogs)
    .values({
      actionType: "update_payment_status",
      userId: owner.id,
      userEmail: owner.email,
      details: {
        paymentId: payment.id,
        projectId: farm.projectId,
        projectTitle: farm.title,
        before: "pending",
        after: status,
        amountKobo: payment.amountKobo.toString(),
        lots,
      },
      ipAddress: "127.0.0.1",
      createdAt: sentAt,
    })
    .returning({ id: auditLogs.id });
  return entry?.id;
}
