import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { createTransport } from "nodemailer";
import type { Clock } from "#server/platform/clock.ts";
import type { Mailer, OutgoingMail } from "#server/platform/deps.ts";
import { publishFile, writeSynced } from "#server/platform/synced-file.ts";
import type { Site } from "#shared/site/site.ts";

/** The mail server refuses the address permanently. */
export class MailRefusedError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "MailRefusedError";
  }
}

type MailerOptions = {
  smtpUrl: string | undefined;
  /** Gives the sender of a mail that is sent now, like "Our Farms <hello@farms.example>". */
  from: () => string;
  dataDir: string;
  clock: Clock;
  log: FastifyBaseLogger;
};

/** Sends by SMTP. Without an SMTP address it saves mails as .eml files in {@link mailFolder}. */
export function createMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === undefined ? fileMailer(options) : smtpMailer(options, options.smtpUrl);
}

/** The sender where the environment names none: the site's name, at the host of its address. */
export const senderOf = ({ name, publicUrl }: Site): string =>
  `"${name.replace(/["\\]/g, "")}" <no-reply@${new URL(publicUrl).hostname}>`;

/** The folder of mails saved for want of an SMTP server. */
export const mailFolder = (dataDir: string) => join(dataDir, "mail");

function smtpMailer({ from, clock, log }: MailerOptions, smtpUrl: string): Mailer {
  const url = new URL(smtpUrl);
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 20_000,
    dnsTimeout: 10_000,
    // An offered STARTTLS is always used. A password is never sent unencrypted, even if the server offers no STARTTLS.
    requireTLS: url.protocol === "smtp:" && url.username !== "" && !isLoopback,
  });
  return {
    async send(mail) {
      try {
        await transport.sendMail(composed(mail, from(), clock));
      } catch (error) {
        if (isRefusedRecipient(error)) throw new MailRefusedError("the recipient's server refuses the address", error);
        throw error;
      }
      log.info({ messageId: mail.messageId }, "mail sent");
    },
    async close() {
      transport.close();
    },
  };
}

function fileMailer({ from, dataDir, clock, log }: MailerOptions): Mailer {
  const folder = mailFolder(dataDir);
  return {
    async send(mail) {
      const composer = createTransport({ streamTransport: true, buffer: true });
      const { message } = await composer.sendMail(composed(mail, from(), clock));
      if (!Buffer.isBuffer(message)) throw new Error("the mail was not composed in memory");
      await mkdir(folder, { recursive: true });
      // The name begins with the time, so that files sorted by name are sorted by time.
      const name = `${clock.now().toISOString().replaceAll(/[:.]/g, "-")}-${randomBytes(4).toString("hex")}.eml`;
      const temporary = join(folder, `.${name}.tmp`);
      await writeSynced(temporary, message);
      await publishFile(temporary, join(folder, name));
      log.info({ messageId: mail.messageId, file: name }, "mail kept on disk");
    },
    async close() {},
  };
}

/** The mail for nodemailer. Characters that could add a recipient or a header line are refused, not removed. */
function composed(mail: OutgoingMail, from: string, clock: Clock) {
  if (!/^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/.test(mail.to)) {
    throw new MailRefusedError("not a plain mail address");
  }
  const lines = [mail.subject, mail.messageId, ...Object.entries(mail.headers ?? {}).flat()];
  if (lines.some((line) => /[\r\n\0]/.test(line)))
    throw new MailRefusedError("a header of the mail holds a line break");
  return {
    from,
    to: { name: "", address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    date: clock.now(),
    headers: { "Auto-Submitted": "auto-generated", ...mail.headers },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/**
 * Returns true if the server refused the recipient permanently: a 5xx response to RCPT TO. A refused sender or message
 * may be our configuration, and is retried. So are 530 (sign in first) and status 5.7.x (no relaying, RFC 3463): a
 * server gives them at RCPT TO, but for every recipient.
 */
function isRefusedRecipient(error: unknown): boolean {
  if (!(error instanceof Error && "responseCode" in error && "command" in error)) return false;
  const { responseCode, command } = error;
  const answer = "response" in error ? String(error.response) : "";
  if (typeof responseCode !== "number" || responseCode < 500 || command !== "RCPT TO") return false;
  return responseCode !== 530 && !/^\d{3}[ -]5\.7\./.test(answer);
}
