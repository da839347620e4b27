import { expect, test } from "vitest";
import { registerDevMail } from "#server/http/dev-mail.ts";
import { createMailer } from "#server/mail/mailer.ts";
import { createLogger } from "#server/platform/logger.ts";
import { testClock } from "#tests/support/deps.ts";
import { httpApp, tempFolder, testEnv } from "#tests/support/http-app.ts";

async function mailApp(variables: Record<string, string> = {}) {
  const dataDir = await tempFolder();
  const env = testEnv({ PUBLIC_URL: "http://localhost:3000", DATA_DIR: dataDir, ...variables });
  const app = httpApp(env);
  registerDevMail(app, env);
  const log = createLogger({ level: "silent" });
  const clock = testClock();
  const mailer = createMailer({ smtpUrl: undefined, from: () => "Gona <hello@gona.example>", dataDir, clock, log });
  const send = (subject: string, html: string) =>
    mailer.send({
      to: "ada@example.com",
      subject,
      html,
      text: "Open https://gona.example/x?a=1 <now>",
      messageId: "<1@x>",
    });
  const get = (url: string, host = "localhost:3000") => app.inject({ url, headers: { host } });
  return { send, get, clock };
}

test("mails that went nowhere can be read, newest first", async () => {
  const { send, get, clock } = await mailApp();
  expect((await get("/dev/mail")).body).toContain("No mail yet");
  await send("First <b>", "<p>one</p>");
  clock.advance({ ms: 1 });
  await send("Second", "<p>two</p><script>alert(1)</script>");
  const list = await get("/dev/mail", "127.0.0.1:3000");
  expect(list.body.indexOf("Second")).toBeLessThan(list.body.indexOf("First &lt;b&gt;"));
  expect(list.body).not.toContain("<b>");

  const link = /href="(\/dev\/mail\/[^"]+)">Second/.exec(list.body)?.[1] ?? "";
  const mail = await get(link);
  expect(mail.body).toContain('<a href="https://gona.example/x?a=1">https://gona.example/x?a=1</a> &lt;now&gt;');
  expect(mail.body).toContain("To ada@example.com");
  expect(mail.body).toContain(`<iframe title="The mail as HTML" src="${link}/html" sandbox="`);
  expect(mail.body).not.toContain("<script>");
  expect(mail.headers["content-security-policy"]).toContain("default-src 'none'");

  const html = await get(`${link}/html`);
  expect(html.body).toContain("<p>two</p>");
  expect(html.headers["content-security-policy"]).toMatch(/^sandbox allow-popups [^;]*; default-src 'none'/);
  expect(html.headers["content-security-policy"]).not.toContain("allow-scripts");
});

test("a foreign name for this machine, and an id that is a path, find nothing", async () => {
  const { send, get } = await mailApp();
  await send("Hello", "<p>x</p>");
  expect((await get("/dev/mail", "rebound.example:3000")).statusCode).toBe(404);
  expect((await get("/dev/mail", "localhost.evil.example")).statusCode).toBe(404);
  for (const id of ["..%2f..%2fapp-secret", "2026-01-01T00-00-00-000Z-00000000", "x"]) {
    expect((await get(`/dev/mail/${id}`)).statusCode).toBe(404);
    expect((await get(`/dev/mail/${id}/html`)).statusCode).toBe(404);
  }
});

test.each([
  ["there is an SMTP server", { SMTP_URL: "smtp://127.0.0.1:25" }],
  ["the site is public", { PUBLIC_URL: "https://gona.example" }],
  ["the server listens to others", { HOST: "0.0.0.0" }],
])("where %s there is no /dev/mail", async (_where, variables) => {
  const { get } = await mailApp(variables);
  expect((await get("/dev/mail")).statusCode).toBe(404);
});
