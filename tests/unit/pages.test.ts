import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderHead } from "#server/http/pages/head.ts";
import { farmPage, privatePages, projectPage, publicPages } from "#server/http/pages/page-heads.ts";
import { gona } from "#tests/support/site.ts";

const routeTree = readFileSync("src/client/route-tree.gen.ts", "utf8");

test("every page of the client has an entry in the server's table: without one it is answered as not found", () => {
  const paths = [...routeTree.matchAll(/^ +fullPath: "([^"]+)"/gm)].map((match) => match[1]?.replace(/(?<=.)\/$/, ""));
  expect(paths.length).toBeGreaterThan(15);
  const known = [...Object.keys(publicPages), ...Object.keys(privatePages), projectPage, farmPage];
  expect(paths.filter((path) => path && !known.includes(path))).toEqual([]);
});

test("no page is both public and private", () => {
  expect(
    Object.keys(publicPages).filter((path) => path in privatePages || path === projectPage || path === farmPage),
  ).toEqual([]);
});

const head = {
  status: 200 as const,
  title: "Snails",
  description: "A farm.",
  canonicalPath: "/project/1",
  card: { path: "/cards/site.jpg", alt: "Gona" },
};
const installation = { ...gona, isDemo: false, hasGoogleSignIn: false };
const render = (values: Partial<typeof head>) => renderHead({ ...head, ...values }, installation);
const described = (html: string) => /name="description" content="([^"]*)"/.exec(html)?.[1] ?? "";

test.each([
  [`"><script>alert(1)</script>`, "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; · Gona"],
  ["</title><meta http-equiv=refresh>", "&lt;/title&gt;&lt;meta http-equiv=refresh&gt; · Gona"],
  ["Tom & Jerry's", "Tom &amp; Jerry&#39;s · Gona"],
  ["🐌 Snails 👩‍🌾", "🐌 Snails 👩‍🌾 · Gona"],
])("%s stays text", (title, escaped) => {
  const html = render({ title, description: title, card: { path: "/cards/site.jpg", alt: title } });
  expect(html).toContain(`<title>${escaped}</title>`);
  expect(
    html.replace(/<(title>[^<]*<\/title|(meta|link) [\w:]+="[\w:.-]+" (content|href)="[^"<>]*" \/)>/g, "").trim(),
  ).toBe("");
});

test("a preview shows a title in one line, read in the page's own direction", () => {
  const html = render({ title: "Snails \u202egnp.exe\u2066\n\tin  Epe\u0000" });
  expect(html).toContain('<meta property="og:title" content="Snails gnp.exe in Epe" />');
  expect(html).toContain('<meta name="twitter:title" content="Snails gnp.exe in Epe" />');
});

test("a long description ends between two words, and never within a sign", () => {
  const words = described(render({ description: "catfish ".repeat(60) }));
  expect(words).toMatch(/catfish…$/);
  expect(words.length).toBeLessThanOrEqual(200);
  const signs = described(render({ description: "👩‍🌾".repeat(100) }));
  expect(signs).toMatch(/^(👩‍🌾)+…$/u);
  expect(described(render({ description: "Short." }))).toBe("Short.");
});

test("a page has from the beginning whose site it is", () => {
  const site = { ...installation, tagline: `"></head><b>'`, hasGoogleSignIn: true };
  const json = /<meta name="site" content="([^"]*)" \/>/.exec(renderHead(head, site))?.[1] ?? "";
  const plain = json.replace(
    /&(quot|#39|lt|gt);/g,
    (sign) => ({ "&quot;": '"', "&#39;": "'", "&lt;": "<", "&gt;": ">" })[sign] ?? sign,
  );
  expect(JSON.parse(plain)).toEqual(site);
});

test("what search engines shall not list names no address", () => {
  const html = render({ canonicalPath: null } as never);
  expect(html).toContain('<meta name="robots" content="noindex" />');
  expect(html).not.toMatch(/canonical|og:url/);
});
