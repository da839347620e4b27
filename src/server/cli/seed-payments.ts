import { randomBytes, randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { paymentReceipts, paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { projectBackings, projects } from "#server/db/schema/projects.ts";
import { countApprovedLots, findRound } from "#server/features/rounds/service.ts";
import { formatNaira, nairaToKobo } from "#shared/money.ts";
import type { DemoFarm } from "./demo-data.ts";

/** A one-page PDF that looks like a bank's receipt and says that it isn't one. ASCII only. */
function demoReceipt(lines: { title: string; rows: [string, string][] }): Uint8Array {
  const escaped = (text: string) =>
    text.replace(/[^\x20-\x7e]/g, "-").replace(/[\\()]/g, (character) => `\\${character}`);
  const texts = [
    `/F1 22 Tf 50 760 Td (${escaped(lines.title)}) Tj`,
    "/F1 11 Tf 0 -26 Td (Made for the demo. Not a real payment.) Tj",
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

const dayMs = 86_400_000;
const round = 1;

/** Real references never begin like this, because their letters leave out O. */
export const demoReferencePrefix = "GONA-DEMO-";

type Person = { id: string; email: string; fullName: string };

/** A planned payment of the demo. The database's own rules check that it adds up. */
export type DemoPayment = {
  farm: DemoFarm & { projectId: number };
  lots: number;
  user: Person;
  status: "pending" | "approved" | "rejected";
  daysAgo: number;
  reason?: string;
};

type Input = DemoPayment & {
  owner: Person;
  now: Date;
  storeReceipt: (bytes: Uint8Array) => Promise<{ key: string; sha256: string }>;
};

/** Writes a payment with its receipt and, if approved, its ledger rows, funding and backing. */
export async function insertDemoPayment(tx: Tx, input: Input): Promise<void> {
  const { farm, lots, user, status, owner, now } = input;
  const sentAt = new Date(now.getTime() - input.daysAgo * dayMs);
  const reference = `${demoReferencePrefix}${randomBytes(4).toString("hex").toUpperCase()}`;
  const amountKobo = (nairaToKobo(farm.goalNaira) / BigInt(farm.lots)) * BigInt(lots);
  const receiptId = randomUUID();
  const receipt = demoReceipt({
    title: "Transfer receipt",
    rows: [
      ["From", user.fullName],
      ["Amount", formatNaira(amountKobo).replace("₦", "NGN ")],
      ["Reference", reference],
      ["For", farm.title],
      ["Date", sentAt.toISOString().slice(0, 10)],
    ],
  });
  const { key, sha256 } = await input.storeReceipt(receipt);
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
  await tx.insert(paymentReferences).values({
    projectId: farm.projectId,
    userId: user.id,
    reference,
    round,
    termsVersion: 1,
    agreedAt: sentAt,
    retiredAt: status === "approved" ? sentAt : null,
    createdAt: sentAt,
  });
  const [payment] = await tx
    .insert(projectPayments)
    .values({
      projectId: farm.projectId,
      projectTitle: farm.title,
      userId: user.id,
      amountKobo,
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
    .returning({ id: projectPayments.id });
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
  if (status === "approved") await insertApproval(tx, { ...input, paymentId: payment.id, amountKobo, sentAt });
  const eventKey =
    status === "pending"
      ? `receipt:${receiptId}`
      : `payment:${payment.id}:${status}:${await auditDecision(tx, { ...input, paymentId: payment.id, amountKobo, sentAt })}`;
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
}

type Decision = Input & { paymentId: number; amountKobo: bigint; sentAt: Date };

async function insertApproval(
  tx: Tx,
  { farm, lots, user, owner, paymentId, amountKobo, sentAt }: Decision,
): Promise<void> {
  const { projectId, title } = farm;
  await tx.insert(projectBackings).values({ projectId, userId: user.id, createdAt: sentAt }).onConflictDoNothing();
  const [posted] = await tx
    .insert(ledgerTransactions)
    .values({
      kind: "approval",
      paymentId,
      projectId,
      projectTitle: title,
      round,
      userId: user.id,
      actorId: owner.id,
      createdAt: sentAt,
    })
    .returning({ id: ledgerTransactions.id });
  if (!posted) throw new Error("the demo approval was not posted");
  await tx.insert(ledgerEntries).values([
    { transactionId: posted.id, account: "bank", amountKobo },
    { transactionId: posted.id, account: "project_funding", projectId, round, amountKobo: -amountKobo },
  ]);
  await tx
    .update(projects)
    .set({ currentFundingKobo: sql`${projects.currentFundingKobo} + ${amountKobo.toString()}::bigint` })
    .where(eq(projects.id, projectId));
  await countApprovedLots(tx, await findRound(tx, { projectId, round }), lots, sentAt);
}

/** Returns the audit entry's id, which names the event. */
async function auditDecision(
  tx: Tx,
  { farm, lots, owner, status, paymentId, amountKobo, sentAt }: Decision,
): Promise<number | undefined> {
  const [entry] = await tx
    .insert(auditLogs)
    .values({
      actionType: "update_payment_status",
      userId: owner.id,
      userEmail: owner.email,
      details: {
        paymentId,
        projectId: farm.projectId,
        projectTitle: farm.title,
        before: "pending",
        after: status,
        amountKobo: amountKobo.toString(),
        lots,
      },
      ipAddress: "127.0.0.1",
      createdAt: sentAt,
    })
    .returning({ id: auditLogs.id });
  return entry?.id;
}
