import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { OpenReport } from "#server/http/pages/report-html.ts";
import { registerReportPages } from "#server/http/pages/report-page.ts";
import { AppError, type CallerReason } from "#server/platform/errors.ts";
import { httpApp, tempFolder } from "#tests/support/http-app.ts";
import { awaited, coming, openReport } from "#tests/support/report-server.ts";
import { gona, siteOf } from "#tests/support/site.ts";

/** Requests the page without a browser. `text` is what it says. */
async function get(path: string, answer: Partial<OpenReport> | AppError = {}, now = "2026-11-26T10:00:00Z") {
  const distDir = await tempFolder();
  await writeFile(join(distDir, "report.html"), await readFile("report.html", "utf8"));
  const app = httpApp();
  await registerReportPages(
    app,
    { clock: { now: () => new Date(now) }, site: siteOf(gona) },
    {
      distDir,
      async openReport() {
        if (answer instanceof AppError) throw answer;
        return { ...openReport, ...answer };
      },
    },
  );
  const { statusCode, headers, body } = await app.inject(path);
  const text = body.replace(/<script[^>]*id="facts".*?<\/script>|<[^>]+>/gs, " ").replace(/\s+/g, " ");
  return { status: statusCode, headers, body, text };
}

test("a report's page has its code, its figures with the last ones, and who asked for it", async () => {
  const { status, text } = await get("/report/abc");
  expect(status).toBe(200);
  expect(text).toContain("Report 12 500 layers in Ilorin · Oke-Oyi Poultry");
  expect(text).toContain("Due on Friday, 27 Nov 2026, 18:00 WAT.");
  expect(text).toContain("2 backers have asked for this report.");
  expect(text).toContain("Write 7K3P on a slate, and have it in one photo.");
  expect(text).toContain("Birds alive Last report 490");
  expect(text).toContain("Feed used (kg), if you know it Last report 1,382.5");
});

test("a late report says so, and one that was sent back says why", async () => {
  const report = { ...awaited, sentBackNote: "The photo is dark.", asks: 1, content: "As it was." };
  const { text } = await get("/report/abc", { report }, "2026-11-29T10:00:00Z");
  expect(text).toContain("It was due on Friday, 27 Nov 2026, 18:00 WAT.");
  expect(text).toContain("One backer has asked for this report.");
  expect(text).toContain("We sent it back: The photo is dark.");
  expect(text).toContain("What happened since the last report? As it was.");
});

test("nobody learns the token, nothing is stored on the way, and the camera is allowed", async () => {
  for (const answer of [{}, new AppError("not_found", "Gone.")]) {
    const { headers, body } = await get("/report/abc", answer);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
      "x-content-type-options": "nosniff",
    });
    expect(headers["permissions-policy"]).toMatch(/^camera=\(self\), microphone=\(\)/);
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(body).toContain('<meta name="robots" content="noindex" />');
    expect(body).toContain("<title>");
  }
});

test("a report that was sent says by whom and when, and what happens next", async () => {
  const lastSent = { number: 12, sentAt: new Date("2026-11-27T16:20:00Z"), by: "Musa's link" };
  const { text } = await get("/report/abc", { lastSent, report: coming });
  expect(text).toContain("It was sent on 27 Nov 2026, 17:20 WAT by Musa&#39;s link.");
  expect(text).toContain("We look at it and publish it, usually within a day.");
  expect(text).toContain(
    "Report 13 can be sent from 1 Dec 2026, 18:00 WAT on. It is due on Friday, 4 Dec 2026, 18:00 WAT.",
  );
  expect((await get("/report/abc", { lastSent, report: null })).text).toContain("You can close this page.");
});

test("while nothing is due yet the page says when it will be", async () => {
  const { status, text } = await get("/report/abc", { report: coming });
  expect(status).toBe(200);
  expect(text).toContain(
    "Nothing to report now 500 layers in Ilorin · Oke-Oyi Poultry Report 13 can be sent from 1 Dec 2026, 18:00 WAT on.",
  );
  const over = await get("/report/abc", { report: null, farmName: null });
  expect(over.text).toContain("round is funded, and end with its harvest.");
});

test.each<[CallerReason, number, string]>([
  ["not_found", 404, "This link doesn't work"],
  ["forbidden", 403, "This link doesn't work"],
  ["rate_limited", 429, "Too many attempts"],
  ["conflict", 409, "Nothing to report now"],
])("what is refused as %s is a page with the reason's own sentence", async (reason, status, title) => {
  const page = await get("/report/abc", new AppError(reason, "The <reason>."));
  expect(page.status).toBe(status);
  expect(page.text).toContain(title.replace("'", "&#39;"));
  expect(page.text).toContain("The &lt;reason&gt;.");
});

test("who is signed out signs in and comes back", async () => {
  const { status, body } = await get("/farm/7/report", new AppError("unauthenticated", "Authentication required"));
  expect(status).toBe(401);
  expect(body).toContain('href="/login?next=%2Ffarm%2F7%2Freport"');
  expect((await get("/farm/x/report")).status).toBe(404);
});

test("what people typed stays text, in the page and in what its script reads", async () => {
  const evil = `</script><script>alert(1)</script>"'$&`;
  const [figure] = awaited.figures;
  const figures = figure ? [{ ...figure, label: evil, last: evil }] : [];
  const report = { ...awaited, sentBackNote: evil, content: evil, figures };
  const { body } = await get("/report/abc", { projectTitle: evil, farmName: evil, report });
  expect(body).not.toContain("<script>alert");
  const facts = /<script type="application\/json" id="facts">(.*?)<\/script>/s.exec(body)?.[1] ?? "";
  expect(JSON.parse(facts)).toMatchObject({ by: { token: "abc" }, number: 12, figures: [{ label: evil }] });
});

test("without scripts the page says that it needs them", async () => {
  const { body } = await get("/report/abc");
  expect(body).toMatch(/<noscript><p[^>]*>This page needs JavaScript\./);
});
