import { eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { notifications } from "#server/db/schema/notifications.ts";
import { sendQueuedMail } from "#server/mail/outbox.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { drainJobs } from "#tests/support/jobs.ts";
import { createPayment, decide, expectMoneyHolds } from "#tests/support/money.ts";

const deps = await openTestDeps();

test("a mail that was sent goes no second time because marking it lost a race", async () => {
  const { payment, backer, owner } = await createPayment(deps);
  await decide(deps, owner, { paymentId: payment.id, status: "approved" });
  const [mail] = await queuedMailsTo(deps.db, backer.email);
  await deps.db.execute(sql`create sequence marks`);
  await deps.db.execute(sql`create function lose_once() returns trigger language plpgsql as $$
    begin
      if nextval('marks') = 1 then raise exception 'lost a race' using errcode = 'deadlock_detected'; end if;
      return new;
    end $$`);
  await deps.db.execute(
    sql`create trigger lose_once before update on outgoing_mails for each row execute function lose_once()`,
  );
  try {
    await sendQueuedMail(deps, mail?.id ?? 0);
  } finally {
    await deps.db.execute(sql`drop trigger lose_once on outgoing_mails`);
  }
  await sendQueuedMail(deps, mail?.id ?? 0);
  expect(deps.mailer.mails.filter(({ to }) => to === backer.email)).toHaveLength(1);
});

test("an approval stands while the mail server is away; the confirmation goes out once when it is back", async () => {
  const { payment, backer, owner } = await createPayment(deps);
  await decide(deps, owner, { paymentId: payment.id, status: "approved" });
  const send = vi.spyOn(deps.mailer, "send").mockRejectedValueOnce(new Error("the mail server is away"));
  await deps.jobs.start({ mail: ({ mailId }) => sendQueuedMail(deps, mailId) });
  await drainJobs(deps.db, "mail", 20_000);
  send.mockRestore();

  const toBacker = deps.mailer.mails.filter(({ to }) => to === backer.email);
  expect(toBacker).toMatchObject([{ subject: expect.stringMatching(/is confirmed$/) }]);
  expect(await queuedMailsTo(deps.db, backer.email)).toMatchObject([{ sentAt: deps.clock.now(), refusal: null }]);
  const told = await deps.db.select().from(notifications).where(eq(notifications.userId, backer.id));
  expect(told).toMatchObject([{ kind: "payment_status", emailSent: true }]);
  await expectMoneyHolds(deps);
});
