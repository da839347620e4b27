import { readdir } from "node:fs/promises";
import { and, asc, gt, isNull } from "drizzle-orm";
import { expect } from "playwright/test";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { mailFolder } from "#server/mail/mailer.ts";
import { sendQueuedMail } from "#server/mail/outbox.ts";
import type { Deps } from "#server/platform/deps.ts";

/** To whom, and the subject. */
export type ExpectedMail = readonly [to: { email: string }, subject: string];
export type SentMail = { recipient: string; subject: string; text: string };

/** Traces, in a mail's text, of a fact that is missing or malformed. */
const nonsense = /undefined|\bnull\b|NaN|\[object|Invalid Date|₦-|\{\w+\}/;

/**
 * Sends what waits in the outbox, as its job does, and knows which mails a test has explained. Mails are written with their
 * event, so that nothing has to be waited for once a screen has shown that it happened.
 */
export function watchMails(deps: Deps) {
  let lastId = 0;
  let explained = 0;
  return {
    /**
     * Exactly these mails to all people together were written since the last call, and all of them could be sent; each
     * person has theirs in this order. Times in subjects are written as `{time}`.
     */
    async expectMails(when: string, expected: readonly ExpectedMail[]): Promise<SentMail[]> {
      const waiting = and(isNull(outgoingMails.sentAt), isNull(outgoingMails.refusal));
      const toSend = await deps.db.select({ id: outgoingMails.id }).from(outgoingMails).where(waiting);
      for (const { id } of toSend) await sendQueuedMail(deps, id);
      const sent = await deps.db
        .select()
        .from(outgoingMails)
        .where(gt(outgoingMails.id, lastId))
        .orderBy(asc(outgoingMails.id));
      lastId = sent.at(-1)?.id ?? lastId;
      explained += sent.length;
      expect(
        byPerson(sent.map(({ recipient, subject }) => [{ email: recipient }, withoutTimes(subject)])),
        `the mails of: ${when}`,
      ).toEqual(byPerson(expected));
      for (const { subject, text, sentAt, refusal } of sent) {
        expect({ subject, sentAt, refusal }, "a mail that was sent").toMatchObject({
          sentAt: expect.any(Date),
          refusal: null,
        });
        expect(`${subject}\n${text}`).not.toMatch(nonsense);
      }
      return sent;
    },
    /** Every mail that ever left was explained, whoever had it. */
    async expectNoOther(): Promise<void> {
      await this.expectMails("what came after", []);
      expect(await deps.db.$count(outgoingMails), "mails in the outbox").toBe(explained);
      const files = (await readdir(mailFolder(deps.env.dataDir))).filter((name) => name.endsWith(".eml"));
      expect(files, "mails that left").toHaveLength(explained);
    },
  };
}

const withoutTimes = (subject: string) => subject.replace(/\d{1,2} \w{3} \d{4}, \d\d:\d\d WAT/, "{time}");

/** Each person's subjects in their order; people by their address. */
function byPerson(mails: readonly ExpectedMail[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [{ email }, subject] of mails) found[email] = [...(found[email] ?? []), subject];
  return found;
}
