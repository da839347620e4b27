import type { FaultKind } from "./faults.ts";
import type { Patch } from "./patches.ts";

/** A fault put into the product on purpose: a run on it has to find it out. */
export interface SeededFault {
  name: string;
  patches: Patch[];
  statement?: string;
  /** What has to happen besides for it to do harm. */
  faults: FaultKind[];
}

const payments = "src/server/features/payments/service.ts";
const projects = "src/server/features/projects/service.ts";
const receipts = "src/server/features/receipts/service.ts";
const outbox = "src/server/mail/outbox.ts";
const four = (kind: FaultKind): FaultKind[] => [kind, kind, kind, kind];

export const seededFaults: SeededFault[] = [
  {
    name: "the lock on the project is dropped",
    patches: [
      {
        file: projects,
        from: ".from(projects).where(eq(projects.id, projectId)).for(lock);",
        to: ".from(projects).where(eq(projects.id, projectId));",
      },
    ],
    faults: [],
  },
  {
    name: "a unique index is dropped",
    patches: [],
    statement: "drop index project_payments_one_pending_per_backer",
    faults: [],
  },
  {
    name: "a mail goes before the commit",
    patches: [
      {
        file: outbox,
        from: "    const payloads = made.map(({ id }) => ({ mailId: id }));",
        to: `    for (const { id } of made) {
          const [mail] = await tx.select().from(outgoingMails).where(eq(outgoingMails.id, id));
          await deps.mailer.send({ ...mail, to: mail.recipient });
          await tx.update(outgoingMails).set({ sentAt: deps.clock.now() }).where(eq(outgoingMails.id, id));
        }
        const payloads = [];`,
      },
    ],
    faults: four("kill before commit"),
  },
  {
    name: "the idempotency key is ignored",
    patches: [
      {
        file: receipts,
        from: "    idempotencyKey,\n    createdAt: now,",
        to: "    idempotencyKey: randomUUID(),\n    createdAt: now,",
      },
    ],
    faults: [],
  },
  {
    name: "the ledger's reversal is skipped",
    patches: [{ file: payments, from: "    await postReversal(tx, posting);\n", to: "" }],
    faults: [],
  },
  {
    name: "the receipt's hash is not compared",
    patches: [{ file: payments, from: " || receiptSha256 !== input.seenReceiptSha256", to: "" }],
    faults: [],
  },
  {
    name: "the outbox is written outside the transaction",
    patches: [
      { file: outbox, from: "    const made = await tx\n", to: "    const made = await deps.db\n" },
      { file: outbox, from: "    notificationId: request.notificationId,\n", to: "" },
    ],
    faults: four("kill before commit"),
  },
  {
    name: "the receipt's row is written before its bytes",
    patches: [
      {
        file: "src/server/features/receipts/routes.ts",
        from: "  const { amountKobo, ...receipt } = await submitReceipt(ctx, { ...given, file });",
        to: `  const bytes = await Array.fromAsync(await ctx.storage.read(file.key));
        await ctx.storage.remove(file.key);
        const { amountKobo, ...receipt } = await submitReceipt(ctx, { ...given, file });
        setTimeout(() => ctx.storage.write(file.key, Buffer.concat(bytes)), 500);`,
      },
    ],
    faults: four("kill after commit"),
  },
  {
    name: "a retry doesn't read again",
    patches: [
      {
        file: payments,
        from: "    return await inTransaction(ctx.db, (tx) => changeStatus(tx, ctx, input));",
        // The first try always loses a race here.
        to: `    let read;
        return await inTransaction(ctx.db, async (tx) => {
          if (read) return changeStatus(tx, ctx, input, read);
          read = await lockPayment(tx, input.paymentId);
          await tx.execute("do $$ begin raise sqlstate '40001'; end $$");
        });`,
      },
      {
        file: payments,
        from: "changeStatus(tx: Tx, ctx: ActorContext, input: z.output<typeof setPaymentStatusInput>) {",
        to: "changeStatus(tx, ctx, input, read) {",
      },
      {
        file: payments,
        from: "receiptSha256 } = await lockPayment(tx, input.paymentId);",
        to: "receiptSha256 } = read;",
      },
    ],
    faults: [],
  },
  {
    name: "an approval doesn't close the project",
    patches: [{ file: payments, from: "if (!target.isClosed) {", to: "if (false) {" }],
    faults: [],
  },
  {
    name: "the answer goes out before the commit",
    patches: [
      {
        file: "src/server/db/open.ts",
        from: "      const written = await db.transaction(async (tx) => {\n        const result = await run(tx);",
        to: `      let answer;
        const answered = new Promise((resolve) => { answer = resolve; });
        const committed = db.transaction(async (tx) => {
          const result = await run(tx);
          answer(result);
          await sleep(30);`,
      },
      {
        file: "src/server/db/open.ts",
        from: "      return written;",
        to: "      committed.catch(() => {});\n      return await Promise.race([answered, committed]);",
      },
    ],
    faults: four("kill before commit"),
  },
  {
    name: "a mail that failed isn't tried again",
    patches: [
      {
        file: outbox,
        from: "if (!(error instanceof MailRefusedError)) throw error;",
        to: "if (!(error instanceof MailRefusedError)) return;",
      },
    ],
    faults: four("mail server away"),
  },
];
