import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { registerMailPreviews } from "#server/http/mail-previews.ts";
import { mailSamples } from "#server/http/mail-samples.ts";
import { renderMail } from "#server/mail/layout.ts";
import { httpApp, testEnv } from "#tests/support/http-app.ts";
import { gona, siteOf } from "#tests/support/site.ts";

const root = join(import.meta.dirname, "../..");
const publicUrl = "http://localhost:3000";
const site = { ...gona, publicUrl };
const samples = mailSamples(site);

function previewApp(variables: Record<string, string> = {}) {
  const env = testEnv({ PUBLIC_URL: publicUrl, ...variables });
  const app = httpApp(env);
  registerMailPreviews(app, { env, site: siteOf(site) });
  return (url: string, host = "localhost:3000") => app.inject({ url, headers: { host } });
}

test("every function that makes a mail has a sample", () => {
  const files = ["src/server/accounts/emails.ts", ...globSync("src/server/features/*/emails.ts", { cwd: root })];
  const sampled = globSync("src/server/http/*mail-samples.ts", { cwd: root });
  const source = sampled.map((file) => readFileSync(join(root, file), "utf8")).join();
  const makers = files.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/^export function (\w+)/gm)].map((match) => match[1] ?? ""),
  );
  expect(makers.length).toBeGreaterThan(10);
  expect(makers.filter((name) => !source.includes(`.${name}(`))).toEqual([]);
});

test.each(samples.map((sample) => [sample.id, sample] as const))("%s reads as text and as HTML", (_, sample) => {
  const { html, text } = renderMail(site, sample.content);
  expect(sample.subject).toMatch(/^\p{L}.{5,90}$/u);
  for (const version of [html, text]) expect(version).not.toMatch(/undefined|null|NaN|\[object/);
  const { action } = sample.content;
  if (action) {
    expect(text).toContain(action.url);
    expect(action.url.startsWith(`${publicUrl}/`)).toBe(true);
    // A token in the fragment never reaches a server's log.
    expect(action.url.split("#")[0]).not.toContain("token");
  }
  expect(html).toContain("prefers-color-scheme: dark");
});

test("all are listed and can be opened", async () => {
  const get = previewApp();
  const list = (await get("/dev/mail/previews")).body;
  for (const { id, content } of samples) {
    expect(list).toContain(`href="/dev/mail/previews/${id}"`);
    expect((await get(`/dev/mail/previews/${id}`)).body).toContain(`src="/dev/mail/previews/${id}/html"`);
    const html = await get(`/dev/mail/previews/${id}/html`);
    expect(html.body).toContain(`<title>${content.title.replaceAll("'", "&#39;")}</title>`);
    expect(html.headers["content-security-policy"]).not.toContain("allow-scripts");
  }
  expect((await get("/dev/mail/previews/other")).statusCode).toBe(404);
  expect((await get("/dev/mail/previews", "rebound.example:3000")).statusCode).toBe(404);
});

test.each([
  ["the site is public", { PUBLIC_URL: "https://gona.example" }],
  ["the server listens to others", { HOST: "0.0.0.0" }],
])("where %s there are none", async (_where, variables) => {
  expect((await previewApp(variables)("/dev/mail/previews")).statusCode).toBe(404);
});

test.each([
  ["Ada Obi", "Hello Ada Obi,"],
  ["Dr. Ada O'Neil-Obi", "Hello Dr. Ada O'Neil-Obi,"],
  ["Win at https://evil.example", "Hello,"],
  ["evil.example", "Hello,"],
  ["write me@evil.example", "Hello,"],
  [" \n ", "Hello,"],
])("%j is greeted without what could be a link", async (fullName, greeting) => {
  const { confirmationMail } = await import("#server/accounts/emails.ts");
  const { text } = renderMail(site, confirmationMail({ fullName, site, token: "x" }).content);
  expect(text).toContain(`\n\n${greeting}\n\n`);
});
