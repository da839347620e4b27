import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, inArray } from "drizzle-orm";
import { PgSelectBase } from "drizzle-orm/pg-core";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { MailRefusedError } from "#server/mail/mailer.ts";
import type { FaultKind } from "./faults.ts";
import { wrapTransactions } from "./kill-points.ts";
import { riverSeeds } from "./river-seeds.ts";
import { onWrite, type SeededFault } from "./seeded-fault.ts";

const four = (kind: FaultKind): FaultKind[] => [kind, kind, kind, kind];

export const seededFaults: SeededFault[] = [
  {
    name: "no row is locked",
    sow() {
      PgSelectBase.prototype.for = function () {
        return this;
      };
    },
    faults: [],
  },
  {
    name: "a unique index is dropped",
    statement: "drop index project_payments_one_pending_per_backer",
    faults: [],
  },
  {
    name: "a mail goes before the commit",
    sow({ jobs, mailer, clock }) {
      const enqueue = jobs.enqueue.bind(jobs);
      jobs.enqueue = async (tx, name, payload, options) => {
        if (name !== "mail" && name !== "security-mail") return enqueue(tx, name, payload, options);
        for (const { mailId } of mailsOf(payload)) {
          const [mail] = await tx.select().from(outgoingMails).where(eq(outgoingMails.id, mailId));
          if (!mail) continue;
          await mailer.send({ ...mail, to: mail.recipient });
          await tx
            .update(outgoingMails)
            .set({ sentAt: clock.now() })
            .where(inArray(outgoingMails.id, [mailId]));
        }
      };
    },
    faults: four("kill before commit"),
  },
  {
    name: "a mail's job is made after the commit",
    sow({ db, jobs, log }) {
      const enqueue = jobs.enqueue.bind(jobs);
      jobs.enqueue = async (tx, name, payload, options) => {
        if (name !== "mail" && name !== "security-mail") return enqueue(tx, name, payload, options);
        setTimeout(() => enqueue(db, name, payload, options).catch((error) => log.error(error)), 300);
      };
    },
    faults: four("kill after commit"),
  },
  {
    name: "a mail goes twice",
    sow({ mailer }) {
      const send = mailer.send.bind(mailer);
      mailer.send = async (mail) => {
        await send(mail);
        await send(mail);
      };
    },
    faults: [],
  },
  {
    name: "a mail that failed isn't tried again",
    sow({ mailer }) {
      const send = mailer.send.bind(mailer);
      mailer.send = (mail) =>
        send(mail).catch((error) => {
          if (error instanceof MailRefusedError) throw error;
        });
    },
    faults: four("mail server away"),
  },
  {
    name: "the idempotency key is ignored",
    statement: onWrite("payment_receipts", "insert", "new.idempotency_key := gen_random_uuid();"),
    faults: [],
  },
  {
    name: "the ledger posts to another round",
    statement: onWrite("ledger_transactions", "insert", "new.round := new.round + 1;"),
    faults: [],
  },
  {
    name: "a decision is audited as one on another receipt",
    statement: onWrite(
      "audit_logs",
      "insert",
      `if new.action_type = 'update_payment_status' then
        new.details := new.details || jsonb_build_object('receiptSha256', repeat('0', 64));
      end if;`,
    ),
    faults: [],
  },
  {
    name: "a project's number of backers stands still",
    statement: onWrite("projects", "update", "new.backers_count := old.backers_count;"),
    faults: [],
  },
  {
    name: "a receipt's row is written before its bytes",
    sow({ storage, log }) {
      const waiting = new Map<string, Uint8Array>();
      const write = storage.write.bind(storage);
      const read = storage.read.bind(storage);
      storage.write = async (key, source) => {
        const bytes = source instanceof Uint8Array ? source : await buffer(Readable.from(source));
        waiting.set(key, bytes);
        setTimeout(() => {
          waiting.delete(key);
          write(key, bytes).catch((error) => log.error(error));
        }, 10_000);
      };
      storage.read = async (key, range) => {
        const bytes = waiting.get(key);
        return bytes ? Readable.from([bytes]) : read(key, range);
      };
    },
    faults: four("kill after commit"),
  },
  {
    name: "a transaction runs again after its commit",
    sow({ db }) {
      wrapTransactions(db, (transaction) => async (run, config) => {
        await transaction(run, config);
        return transaction(run, config);
      });
    },
    faults: [],
  },
  {
    name: "the answer goes out before the commit",
    sow({ db }) {
      wrapTransactions(db, (transaction) => async <T>(run: (tx: never) => Promise<T>, config?: object) => {
        const answered = Promise.withResolvers<T>();
        const committed = transaction(async (tx) => {
          const result = await run(tx as never);
          answered.resolve(result);
          await sleep(30);
          return result;
        }, config);
        committed.catch(() => {});
        return Promise.race([answered.promise, committed]);
      });
    },
    faults: four("kill before commit"),
  },
  ...riverSeeds,
];

const mailsOf = (payload: unknown) => [payload].flat() as { mailId: number }[];
