import { describe, expect, test } from "vitest";
import { fillIn, type PageValues, readShipped } from "#server/platform/page-texts.ts";
import { sanitizePageText } from "#server/platform/rich-text.ts";
import { returnDays } from "#shared/accounts/texts.ts";
import { variableFault } from "#shared/site/page-variables.ts";
import { readVersions } from "#shared/site/page-versions.ts";
import { ownPages } from "#shared/site/pages.ts";

const values: PageValues = {
  name: "Farms & <b>Sons</b>",
  company: "Sons Ltd",
  support: "help@farms.example",
  supportLink: '<a href="mailto:help@farms.example">help@farms.example</a>',
  fee: "5%",
  holdhours: "24 hours",
  refunddays: "5 working days",
  reviewdays: "one working day",
};

describe("variables", () => {
  test("are filled in escaped, and the support address becomes a link, but not within a link", () => {
    expect(fillIn("<p>{{name}} by {{ company }}</p>", values)).toBe(
      "<p>Farms &amp; &lt;b&gt;Sons&lt;/b&gt; by Sons Ltd</p>",
    );
    expect(fillIn('<p><a href="/contact">{{support}}</a> {{support}}</p>', values)).toBe(
      `<p><a href="/contact">help@farms.example</a> ${values.supportLink}</p>`,
    );
  });

  test("in a tag, and unknown ones, stay as they are", () => {
    expect(fillIn('<a href="/{{name}}">{{nme}}</a>', values)).toBe('<a href="/{{name}}">{{nme}}</a>');
  });

  test.each([
    ["terms", "<p>{{nmae}}</p>", "There is no variable {{nmae}} in this text."],
    ["terms", "<p>{{cookielist}}</p>", "There is no variable {{cookielist}} in this text."],
    ["cookies", "<p>All: {{cookielist}}</p>", "{{cookielist}} needs a paragraph of its own."],
    ["terms", '<p><a href="https://{{name}}.example">us</a></p>', "A variable can't stand in the address of a link"],
    ["terms", "<p>{{na<strong>me}}</strong></p>", "Variables are written with two braces on both sides"],
    ["terms", "<p>{{name</p>", "Variables are written with two braces on both sides"],
  ] as const)("in %s, %s is refused by name", (page, html, fault) => {
    expect(variableFault(page, html)).toContain(fault);
  });

  test.each(ownPages)("of the shipped text %s are all known", async (page) => {
    const html = await readShipped(page);
    expect(variableFault(page, html)).toBeNull();
    expect(fillIn(html, values)).not.toMatch(/[{}]/);
  });
});

test("the lists of the cookie policy come from the code", async () => {
  const html = fillIn(await readShipped("cookies"), values);
  expect(html).toContain("<dt><code>form-token</code></dt>");
  expect(html).toContain("<dt><code>lastActivity</code></dt>");
});

test("the privacy policy names the days in which a bank may send money back", async () => {
  expect(await readShipped("privacy")).toContain(`${returnDays} days in which a bank`);
});

describe("sanitising an operator's text", () => {
  test.each([
    ["<script>alert(1)</script><p>a</p>", "<p>a</p>"],
    ['<p style="color:red" onclick="x()" id="p">a</p>', "<p>a</p>"],
    ['<a href="javascript:alert(1)">a</a>', '<a rel="noopener noreferrer" target="_blank">a</a>'],
    ['<a href="//evil.example">a</a>', '<a rel="noopener noreferrer" target="_blank">a</a>'],
    ['<a href="/privacy">a</a>', '<a href="/privacy">a</a>'],
    ['<a href="#law" target="_top">a</a>', '<a href="#law">a</a>'],
    ["<h1>a</h1><h2>6. Refunds &amp; more</h2>", 'a<h2 id="refunds-more">6. Refunds &amp; more</h2>'],
    [
      '<h2 id="root">a</h2><h3 id="law">b</h3><h4 id="law">c</h4>',
      '<h2 id="root-2">a</h2><h3 id="law">b</h3><h4 id="law-2">c</h4>',
    ],
    ["<p>a</p><p></p>", "<p>a</p>"],
    ["<h2>?</h2>", '<h2 id="section">?</h2>'],
  ])("%s", (given, kept) => {
    expect(sanitizePageText(given)).toBe(kept);
  });

  test.each(ownPages)("changes nothing of the shipped text %s", async (page) => {
    const html = await readShipped(page);
    expect(sanitizePageText(html)).toBe(html);
  });
});

describe("versions", () => {
  const day = (number: number) => new Date(`2026-11-${String(number).padStart(2, "0")}T09:00:00Z`);
  const states = (now: Date, ...from: number[]) =>
    readVersions(
      from.map((number, index) => ({ version: index + 1, inForceFrom: day(number) })),
      now,
    ).map(({ version, state, until }) => [version, state, until?.getUTCDate() ?? null]);

  test("the newest whose moment has come is in force, a later one is coming", () => {
    expect(states(day(10), 1, 5, 20)).toEqual([
      [3, "coming", null],
      [2, "in_force", 20],
      [1, "past", 5],
    ]);
  });

  test("one that a later version overtakes before its moment never was", () => {
    expect(states(day(21), 1, 20, 7)).toEqual([
      [3, "in_force", null],
      [2, "replaced", 7],
      [1, "past", 7],
    ]);
  });
});
