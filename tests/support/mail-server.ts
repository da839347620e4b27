import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { freePort } from "./free-port.ts";

export interface Mail extends Email {
  /** The addresses of the envelope: who really gets it, whatever the headers say. */
  recipients: string[];
  /** When it was taken, by performance.now(). */
  receivedAt: number;
}

export interface MailServer {
  /** The value for SMTP_URL. */
  url: string;
  /** All mails so far, oldest first. */
  messages: Mail[];
  /** The first mail that fits, at once if it is there already. Throws after the time limit, naming what did arrive. */
  waitFor(fits: (mail: Mail) => boolean, timeoutMs?: number): Promise<Mail>;
  /** From now on connections are refused, as by a mail server that is down. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** From now on each mail takes so long to be taken. */
  setDelay(ms: number): void;
  stop(): Promise<void>;
}

/** A real SMTP server on a free port of 127.0.0.1 that keeps and parses what it is sent. */
export async function startMailServer(): Promise<MailServer> {
  const port = await freePort();
  const messages: Mail[] = [];
  const waiting = new Set<() => void>();
  let delayMs = 0;

  const listen = async () => {
    const server = new SMTPServer({
      authOptional: true,
      closeTimeout: 50,
      disabledCommands: ["STARTTLS"],
      onData(stream, session, done) {
        receive(stream, session.envelope.rcptTo)
          .then(async (mail) => {
            await sleep(delayMs);
            messages.push(mail);
            done();
            for (const look of waiting) look();
          })
          .catch(done);
      },
    });
    // A client that is killed in the middle of a mail resets its connection; that is no failure of this server.
    server.on("error", () => {});
    server.listen(port, "127.0.0.1");
    await once(server.server, "listening");
    return server;
  };
  const close = (server: SMTPServer) => new Promise<void>((resolve) => server.close(() => resolve()));
  let server: SMTPServer | undefined = await listen();

  const pause = async () => {
    const closing = server;
    server = undefined;
    if (closing) await close(closing);
  };
  return {
    url: `smtp://127.0.0.1:${port}`,
    messages,
    waitFor(fits, timeoutMs = 30_000) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          const subjects = messages.map((mail) => `${mail.recipients.join(", ")}: ${mail.subject}`);
          reject(new Error(`No such mail within ${timeoutMs} ms. Arrived: ${subjects.join("; ") || "none"}`));
        }, timeoutMs);
        const look = () => {
          const mail = messages.find(fits);
          if (!mail) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(mail);
        };
        waiting.add(look);
        look();
      });
    },
    pause,
    async resume() {
      server ??= await listen();
    },
    setDelay(ms) {
      delayMs = ms;
    },
    stop: pause,
  };
}

async function receive(stream: AsyncIterable<Buffer>, rcptTo: { address: string }[]): Promise<Mail> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const mail = await PostalMime.parse(Buffer.concat(chunks));
  return { ...mail, recipients: rcptTo.map((recipient) => recipient.address), receivedAt: performance.now() };
}
