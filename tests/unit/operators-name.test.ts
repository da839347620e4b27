import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mailSamples } from "#server/http/mail-samples.ts";
import { renderHead } from "#server/http/pages/head.ts";
import { privatePages, publicPages } from "#server/http/pages/page-heads.ts";
import { renderMail } from "#server/mail/layout.ts";
import { otherOperator } from "#tests/support/site.ts";

/** The product names nobody: what it is called, who runs it and where to write to are the operator's. */

const root = join(import.meta.dirname, "../..");
const name = /gona/i;

/** Names within the database and the product's own files, which no page, mail, paper or header shows. */
const internal = [
  'const channel = "gona_events";',
  'application_name: "gona',
  "hashtext('gona ",
  'hkdfSync("sha256", secret, "gona"',
  'product: "gona"',
];

test("no source, drawing or text of the product has the demo's name", () => {
  const patterns = ["src/**/*.{ts,tsx,css}", "public/**/*.{svg,js,txt,webmanifest}", "texts/*", "*.html"];
  const files = globSync(patterns, { cwd: root });
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) => {
    const lines = readFileSync(join(root, file), "utf8").split("\n");
    const named = lines.filter((line) => name.test(line) && !internal.some((known) => line.includes(known)));
    return named.map((line) => `${file}: ${line.trim().slice(0, 120)}`);
  });
  expect(found).toEqual([]);
});

test("every mail speaks with another operator's name, and no mail with the demo's", () => {
  for (const { id, subject, content } of mailSamples(otherOperator)) {
    const { html, text } = renderMail(otherOperator, content);
    expect(`${subject}\n${text}\n${html}`, id).not.toMatch(name);
    expect(text, id).toContain(otherOperator.name);
  }
});

test("every page's head is another operator's", () => {
  const site = { ...otherOperator, isDemo: false, hasGoogleSignIn: false };
  const titles = [...Object.values(publicPages).map(({ title }) => title), ...Object.values(privatePages)];
  for (const title of titles) {
    const head = renderHead({ status: 200, title, description: "x", canonicalPath: "/", card: null }, site);
    expect(head).not.toMatch(name);
    expect(head).toContain(otherOperator.name);
  }
  expect(JSON.stringify(publicPages)).not.toMatch(name);
});
