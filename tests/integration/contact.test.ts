import { randomUUID } from "node:crypto";
import { desc, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { rateLimits, usedChallenges } from "#server/db/schema/sessions.ts";
import { contactMessages } from "#server/db/schema/team.ts";
import { createMailer } from "#server/mail/mailer.ts";
import { sendQueuedMail } from "#server/mail/outbox.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { answerHumanCheck } from "#tests/support/human.ts";
import { drainJobs } from "#tests/support/jobs.ts";
import { startMailServer } from "#tests/support/mail-server.ts";
import { type Caller, callAs } from "#tests/support/people.ts";
import { gona } from "#tests/support/site.ts";

const deps = await openTestDeps();
let visitor: Caller;
let formToken: string;
const inbox = gona.supportEmail ?? "";

beforeEach(async () => {
  await deps.db.delete(rateLimits);
  await deps.db.delete(outgoingMails);
  await deps.db.delete(contactMessages);
  visitor = await callAs(deps, "anonymous");
  formToken = (await visitor.auth.formToken()).token;
});

const written = {
  name: "Ọlá Ìbísí-O'Neil",
  email: "ola@example.com",
  phone: "+234 (803) 000-0000",
  message: "May I visit the snail farm on Saturday?",
};

async function filledIn() {
  const check = await answerHumanCheck(visitor);
  return { ...written, botCheck: true as const, ...check, formToken, idempotencyKey: randomUUID() };
}
type Filled = Awaited<ReturnType<typeof filledIn>>;

const kept = () => deps.db.select().from(contactMessages).orderBy(desc(contactMessages.id));

async function expectRefused(input: Filled, message: string) {
  const usedBefore = await deps.db.$count(usedChallenges);
  const error = await visitor.contact.send(input).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ message: expect.stringContaining(message) });
  expect(await kept()).toEqual([]);
  expect(await deps.db.$count(outgoingMails)).toBe(0);
  expect(await deps.db.$count(usedChallenges)).toBe(usedBefore);
}

describe("a message", () => {
  test("is stored as it was written, and announced once to the support address", async () => {
    await visitor.contact.send(await filledIn());
    expect(await kept()).toMatchObject([{ ...written, readAt: null, createdAt: deps.clock.now() }]);
    const mails = await queuedMailsTo(deps.db, inbox);
    expect(mails).toMatchObject([
      {
        subject: `Contact message from ${written.name}`,
        headers: { "Reply-To": `"${written.name}" <${written.email}>` },
        sentAt: null,
      },
    ]);
    for (const text of Object.values(written)) expect(mails[0]?.text).toContain(text);
    // An address in the form may be a stranger's: nothing is mailed to it.
    expect(await deps.db.$count(outgoingMails)).toBe(1);
  });

  test("sent again with the same key is one message and one mail, one after the other and five at once", async () => {
    const input = await filledIn();
    await visitor.contact.send(input);
    await visitor.contact.send(input);
    const atOnce = await filledIn();
    await Promise.all(Array.from({ length: 5 }, () => visitor.contact.send(atOnce)));
    expect(await kept()).toHaveLength(2);
    expect(await deps.db.$count(outgoingMails)).toBe(2);
  });

  test("is kept without control characters, with its lines, emoji and right-to-left words", async () => {
    const message = "  Dear team,\r\n\r\n\u0007שלום 👩🏿‍🌾\u2028مرحبا <b>&amp;\u001b[2J  ";
    await visitor.contact.send({ ...(await filledIn()), message });
    const [row] = await kept();
    expect(row?.message).toBe("Dear team,\n\nשלום 👩🏿‍🌾\nمرحبا <b>&amp;[2J");
    const [mail] = await queuedMailsTo(deps.db, inbox);
    expect(mail?.html).toContain("&lt;b&gt;&amp;amp;");
  });

  test("reaches the mail server with one recipient and one reply address, whatever the name", async () => {
    const server = await startMailServer();
    const mailer = createMailer({
      ...deps,
      smtpUrl: server.url,
      from: () => "Gona <hello@gona.example>",
      dataDir: "/tmp",
    });
    try {
      for (const name of ["Ọlá Ìbísí", "Zoë O’Neil-Obi Jr.", "محمد عبد الله", "李小龍", "ab".repeat(50)]) {
        await deps.db.delete(outgoingMails);
        await visitor.contact.send({ ...(await filledIn()), name });
        const [mail] = await queuedMailsTo(deps.db, inbox);
        await sendQueuedMail({ ...deps, mailer }, mail?.id ?? 0);
        const received = server.messages.at(-1);
        expect(received?.recipients).toEqual([inbox]);
        expect(received?.replyTo).toEqual([{ name: name.normalize("NFC"), address: written.email }]);
      }
    } finally {
      await mailer.close();
      await server.stop();
    }
  });
});

describe("takes what is just within the limits", () => {
  test.each<[string, Partial<Filled>]>([
    ["a name of 2 characters", { name: "Jo" }],
    ["a name of 100", { name: "a".repeat(100) }],
    ["a name of 100 letters beyond the first plane", { name: "𞤀".repeat(100) }],
    ["a name with separate marks", { name: "O\u0323la\u0301" }],
    ["a name with a period", { name: "Dr. Ngozi" }],
    ["a name with marks that nobody sees", { name: "\u202eAda\u200b" }],
    ["a phone of 5", { phone: "12345" }],
    ["a phone of 20", { phone: "+".repeat(20) }],
    ["a message of 10", { message: "1234567890" }],
    ["a message of 5000", { message: "x".repeat(5000) }],
    ["a message of 5000 emoji", { message: "🐟".repeat(5000) }],
    ["an address of 255", { email: `${"a".repeat(64)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.example` }],
  ])("%s", async (_what, change) => {
    await visitor.contact.send({ ...(await filledIn()), ...change });
    expect(await kept()).toHaveLength(1);
  });
});

describe("is refused and leaves nothing", () => {
  test.each<[string, Partial<Record<keyof Filled, unknown>>, string]>([
    ["no name", { name: "" }, "Name must be at least 2 characters"],
    ["a name of spaces", { name: "    " }, "Name must be at least 2 characters"],
    ["a name of one letter", { name: "A" }, "Name must be at least 2 characters"],
    ["one letter that takes two units", { name: "𞤀" }, "Name must be at least 2 characters"],
    ["a name of 101 characters", { name: "a".repeat(101) }, "Name cannot exceed 100 characters"],
    ...["Ada 2", "Ada\r\nBcc: x@example.com", 'Ada" <x@example.com>', "Ada 🐟", "<b>Ada</b>"].map(
      (name): [string, { name: string }, string] => [
        `the name ${JSON.stringify(name)}`,
        { name },
        "Name can only contain letters, spaces, hyphens, apostrophes and periods",
      ],
    ),
    ["no address", { email: "" }, "Valid email is required"],
    ["half an address", { email: "ada@" }, "Valid email is required"],
    ["two addresses", { email: "ada@example.com, x@example.com" }, "Valid email is required"],
    ["an address with a line break", { email: "ada@example.com\r\nBcc: x@example.com" }, "Valid email is required"],
    ["an address with a name", { email: "Ada <ada@example.com>" }, "Valid email is required"],
    ["an oversized address", { email: `${"a".repeat(250)}@example.com` }, "Email cannot exceed 255 characters"],
    ["a short phone", { phone: "1234" }, "Phone number must be at least 5 characters"],
    ["a long phone", { phone: "1".repeat(21) }, "Phone number cannot exceed 20 characters"],
    [
      "a phone with letters",
      { phone: "0803 CALL" },
      "Phone number can only contain digits, spaces, plus signs, hyphens and parentheses",
    ],
    [
      "a phone in other digits",
      { phone: "٠٨٠٣٠٠٠" },
      "Phone number can only contain digits, spaces, plus signs, hyphens and parentheses",
    ],
    ["a short message", { message: "Too short" }, "Message must be at least 10 characters"],
    ["a message of spaces", { message: " ".repeat(50) }, "Message must be at least 10 characters"],
    ["a message that nobody sees", { message: "\u200b".repeat(50) }, "Message must be at least 10 characters"],
    ["a message of control characters", { message: "\u0001".repeat(50) }, "Message must be at least 10 characters"],
    ["a message of 5001 characters", { message: "x".repeat(5001) }, "Message cannot exceed 5000 characters"],
    ["a NUL", { message: `${written.message}\0` }, "This text contains characters that can't be used."],
    ["the box not ticked", { botCheck: false }, "Please confirm you are not a robot"],
    ["no answer", { humanVerification: " " }, "Incorrect answer to the math question"],
    ["a wrong answer", { humanVerification: "99" }, "Incorrect answer to the math question"],
    ["an answer in words", { humanVerification: "seven" }, "Incorrect answer to the math question"],
    ["no question of ours", { challenge: "x" }, "This question has expired. Please answer the new one."],
    [
      "another form's token",
      { formToken: "ab".repeat(32) },
      "Security validation failed. Please refresh the page and try again.",
    ],
    ["no token", { formToken: "" }, "Security validation failed. Please refresh the page and try again."],
  ])("%s", async (_what, change, message) => {
    await expectRefused({ ...(await filledIn()), ...(change as Partial<Filled>) }, message);
  });

  test("all that is wrong is said at once, each at its field", async () => {
    const nothing = { name: "", email: "", phone: "", message: "", botCheck: false as true, humanVerification: "" };
    const error = await visitor.contact.send({ ...(await filledIn()), ...nothing }).catch((caught: Error) => caught);
    const fields = Object.keys(nothing).map((name) => expect.objectContaining({ path: [name] }));
    expect(error).toMatchObject({ cause: { issues: expect.arrayContaining(fields) } });
  });

  test("a message that the database doesn't take, and its question can be answered again", async () => {
    const input = await filledIn();
    await deps.db.execute(sql`create function refuse_mail() returns trigger language plpgsql as $$
      begin raise exception 'no mail today'; end $$`);
    await deps.db.execute(
      sql`create trigger refuse_mail before insert on outgoing_mails for each row execute function refuse_mail()`,
    );
    try {
      await expect(visitor.contact.send(input)).rejects.toMatchObject({ code: "INTERNAL_SERVER_ERROR" });
      expect(await kept()).toEqual([]);
    } finally {
      await deps.db.execute(sql`drop trigger refuse_mail on outgoing_mails`);
    }
    await visitor.contact.send(input);
    expect(await kept()).toHaveLength(1);
  });
});

test("30 messages of one address in an hour, and other addresses still get through", async () => {
  for (let count = 0; count < 30; count++) await visitor.contact.send(await filledIn());
  const input = await filledIn();
  await expect(visitor.contact.send(input)).rejects.toMatchObject({
    code: "TOO_MANY_REQUESTS",
    message: "Too many attempts. Please try again later.",
  });
  expect(await kept()).toHaveLength(30);
  deps.clock.advance({ hours: 1 });
  await visitor.contact.send(await filledIn());
  expect(await kept()).toHaveLength(31);
});

// Last: from here on the queue works.
test("a message is stored while the mail server is down, and mailed once when it is back", async () => {
  const send = vi.spyOn(deps.mailer, "send").mockRejectedValueOnce(new Error("the mail server is away"));
  await visitor.contact.send(await filledIn());
  expect(await kept()).toHaveLength(1);
  await deps.jobs.start({ mail: ({ mailId }) => sendQueuedMail(deps, mailId) });
  await drainJobs(deps.db, "mail", 20_000);
  send.mockRestore();
  expect(deps.mailer.mails.filter(({ to }) => to === inbox)).toHaveLength(1);
});
