import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pino from "pino";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test, vi } from "vitest";
import { renderMail } from "#server/mail/layout.ts";
import { createMailer, MailRefusedError, mailFolder } from "#server/mail/mailer.ts";
import { systemClock } from "#server/platform/clock.ts";
import type { OutgoingMail } from "#server/platform/deps.ts";
import { freePort } from "#tests/support/free-port.ts";
import { tempFolder } from "#tests/support/http-app.ts";
import { startMailServer } from "#tests/support/mail-server.ts";
import { gona } from "#tests/support/site.ts";

const log = pino({ level: "silent" });
const from = "Gona <hello@gona.example>";
const mail: OutgoingMail = {
  to: "ada@example.com",
  subject: "Your ₦1,250,000 receipt",
  messageId: "<n-1@gona.example>",
  ...renderMail(gona, {
    title: "Approved",
    paragraphs: ["Thank you."],
    action: { label: "Open", url: "https://gona.example/backed-project/1" },
  }),
};

function smtpMailer(smtpUrl: string) {
  const mailer = createMailer({ smtpUrl, from: () => from, dataDir: "unused", clock: systemClock, log });
  onTestFinished(() => mailer.close());
  return mailer;
}

test("a mail goes to the SMTP server with its sender, text, HTML and id", async () => {
  const server = await startMailServer();
  onTestFinished(() => server.stop());
  await smtpMailer(server.url).send({ ...mail, headers: { "List-Unsubscribe": "<https://gona.example/u/1>" } });
  const [received] = server.messages;
  expect(received).toMatchObject({
    recipients: ["ada@example.com"],
    subject: mail.subject,
    messageId: mail.messageId,
    from: { name: "Gona", address: "hello@gona.example" },
  });
  expect(received?.text).toContain("https://gona.example/backed-project/1");
  expect(received?.html).toContain('href="https://gona.example/backed-project/1"');
  expect(received?.headers.find((header) => header.key === "list-unsubscribe")?.value).toBe(
    "<https://gona.example/u/1>",
  );
});

test("a refused recipient is told from a server that is down, full or unhappy with us", async () => {
  const refusals: Record<string, { at: "from" | "to"; code: number; text?: string }> = {
    "gone@example.com": { at: "to", code: 550 },
    "unknown@example.com": { at: "to", code: 550, text: "5.1.1 No such user here" },
    "relay@example.com": { at: "to", code: 554, text: "5.7.1 Relay access denied" },
    "unauthenticated@example.com": { at: "to", code: 530, text: "Authentication required" },
    "full@example.com": { at: "to", code: 452 },
    "sender@example.com": { at: "from", code: 550 },
  };
  let sender: { at: "from" | "to"; code: number } | undefined;
  const refused = (code: number, text = "no") => Object.assign(new Error(text), { responseCode: code });
  const port = await freePort();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    closeTimeout: 50,
    onMailFrom: (_address, _session, done) => done(sender ? refused(sender.code) : null),
    onRcptTo: ({ address }, _session, done) => {
      const rule = refusals[address];
      done(rule?.at === "to" ? refused(rule.code, rule.text) : null);
    },
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  const mailer = smtpMailer(`smtp://127.0.0.1:${port}`);

  for (const to of ["gone@example.com", "unknown@example.com"])
    await expect(mailer.send({ ...mail, to })).rejects.toBeInstanceOf(MailRefusedError);
  const sendTo = (to: string) => mailer.send({ ...mail, to }).catch((error: unknown) => error);
  const full = await sendTo("full@example.com");
  const unset = [await sendTo("relay@example.com"), await sendTo("unauthenticated@example.com")];
  sender = refusals["sender@example.com"];
  const unhappy = await mailer.send({ ...mail, to: "sender@example.com" }).catch((error: unknown) => error);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  const down = await mailer.send(mail).catch((error: unknown) => error);
  for (const error of [full, ...unset, unhappy, down]) {
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(MailRefusedError);
  }
});

test("an encrypted line that a server offers is used or nothing is sent", async () => {
  let received = 0;
  const port = await freePort();
  // Its built-in certificate is nobody's, so that the line can't be trusted; it warns of that itself.
  vi.spyOn(console, "error").mockImplementation(() => {});
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 50,
    onData: (stream, _session, done) => {
      received += 1;
      stream.resume().on("end", () => done());
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const error = await smtpMailer(`smtp://127.0.0.1:${port}`)
    .send(mail)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ message: expect.stringMatching(/certificate|self.signed/i) });
  expect(error).not.toBeInstanceOf(MailRefusedError);
  expect(received).toBe(0);
});

test("nothing can add a recipient or a header line", async () => {
  const dataDir = await tempFolder();
  const mailer = createMailer({ smtpUrl: undefined, from: () => from, dataDir, clock: systemClock, log });
  const hostile: Partial<OutgoingMail>[] = [
    { to: "a@example.com, b@example.com" },
    { to: "a@example.com\r\nBcc: b@example.com" },
    { to: "Eve <a@example.com>" },
    { to: "" },
    { subject: "Hi\r\nBcc: b@example.com" },
    { messageId: "<1@x>\nBcc: b@example.com" },
    { headers: { "X-A\r\nBcc": "b@example.com" } },
    { headers: { "X-A": "1\r\nBcc: b@example.com" } },
  ];
  for (const change of hostile) {
    await expect(mailer.send({ ...mail, ...change })).rejects.toBeInstanceOf(MailRefusedError);
  }
  await expect(readdir(mailFolder(dataDir))).rejects.toThrow("ENOENT");
});

test("without an SMTP server each mail is a whole .eml file", async () => {
  const dataDir = await tempFolder();
  const mailer = createMailer({ smtpUrl: undefined, from: () => from, dataDir, clock: systemClock, log });
  await Promise.all(Array.from({ length: 5 }, (_, index) => mailer.send({ ...mail, subject: `Mail ${index}` })));
  const names = await readdir(mailFolder(dataDir));
  expect(names).toHaveLength(5);
  expect(names.every((name) => name.endsWith(".eml") && !name.startsWith("."))).toBe(true);
  const parsed = await PostalMime.parse(await readFile(join(mailFolder(dataDir), names[0] ?? "")));
  expect(parsed).toMatchObject({ messageId: mail.messageId, to: [{ address: "ada@example.com" }] });
  expect(parsed.html).toContain(`<h1 dir="auto">Approved</h1>`);
});

test("the layout escapes what people wrote and says all of it in plain text", () => {
  const { html, text } = renderMail(gona, {
    title: "<b>Snails & co</b>",
    paragraphs: [
      'He said "<script>alert(1)</script>"',
      ["See ", { text: "the farm", href: "https://gona.example/?a=1&b=2" }, "."],
    ],
    action: { label: "Open it", url: "https://gona.example/project/1" },
    footnote: "You get this because you backed it.",
  });
  expect(html).not.toContain("<script>");
  expect(html).toContain("&lt;b&gt;Snails &amp; co&lt;/b&gt;");
  expect(html).toContain('<a href="https://gona.example/?a=1&amp;b=2">the farm</a>');
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(text).toContain("<b>Snails & co</b>");
  expect(text).toContain("See the farm (https://gona.example/?a=1&b=2).");
  expect(text).toContain("Open it:\nhttps://gona.example/project/1");
  expect(text).toContain("You get this because you backed it.");
  expect(() =>
    renderMail(gona, { title: "x", paragraphs: [], action: { label: "x", url: "javascript:alert(1)" } }),
  ).toThrow();
});
