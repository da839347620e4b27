import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { planOfTemplate } from "#shared/reports/templates.ts";
import { type Answers, backer, fitsPhone, openScreen, press, says } from "#tests/support/app-screen.ts";
import { backedProject } from "#tests/support/screen-samples.ts";

/** How a farm reports, as one who backs it sees it. */

const dayMs = 86_400_000;
const fundedAt = new Date("2026-09-01T10:00:00Z");
const after = (days: number) => new Date(fundedAt.getTime() + days * dayMs);
const excuse = "The road was under water for a week.";
type Report = RouterOutputs["reports"]["record"]["reports"][number];
const report = (number: number, change: Partial<Report> = {}): Report => ({
  number,
  dueAt: after(7 * number),
  state: "published",
  isOnTime: true,
  sentAt: after(7 * number),
  publishedAt: after(7 * number),
  excuse: null,
  farmNote: null,
  isCodeSeen: false,
  updateId: null,
  figures: { alive: BigInt(1000 - 40 * number) * 1000n, died: 40_000n, spent: 12_500_000n },
  gone: 0n,
  ...change,
});
const missing = { isOnTime: false, sentAt: null, publishedAt: null, figures: {} };
const summary = { onTime: 4, counted: 6, lastAt: after(49), nextDueAt: after(56), isLate: false, daysSince: 3 };
const record: RouterOutputs["reports"]["record"] = {
  projectId: 1,
  round: 1,
  plan: { ...planOfTemplate("broiler"), version: 1 },
  fundedAt,
  summary,
  reports: [
    report(1),
    report(2),
    report(3, { isOnTime: false, sentAt: after(24.5) }),
    report(4, { ...missing, state: "missed" }),
    report(5, { ...missing, state: "excused", excuse }),
    report(6),
    report(7),
    report(8, { ...missing, state: "coming" }),
  ],
};
const open = (given: Answers = {}) =>
  openScreen("/backed-project/1", {
    ...backer,
    "backings.project": { ...backedProject, outcome: "funded", isClosed: true, reports: summary },
    "harvests.mine": [],
    "payments.listMyPurchases": [],
    "updates.list": { items: [], total: 0 },
    "reports.record": record,
    "reports.canAsk": null,
    ...given,
  });

test("a backer reads whether the farm does well, each week's report and each figure, on a phone too", async () => {
  await open();
  await says("Reports: 4 of 6 on time. The last came 3 days ago.");
  await expect.element(page.getByRole("heading", { name: "How the farm does" })).toBeVisible();
  await says(`Report of ${"6 Oct 2026"} excused: ${excuse}`);
  const weeks = page.getByRole("list", { name: "Reports, week by week" });
  await expect.element(weeks.getByText("Report 3, 22 Sep 2026: came late")).toBeInTheDocument();
  await press("15 Sep 2026: ₦125,000, on time");
  await expect.element(page.getByText("Money spent as a table")).toBeVisible();
  await fitsPhone();
});

test("a backer asks for a report once, and reads what comes of it", async () => {
  const { answers } = await open({ "reports.canAsk": { number: 8, from: after(59), canAsk: true, hasAsked: false } });
  await expect.element(page.getByRole("button", { name: "Ask for a report" })).toBeVisible();
  answers["reports.canAsk"] = { number: 8, from: after(59), canAsk: false, hasAsked: true };
  answers["reports.ask"] = undefined;
  await press("Ask for a report");
  await says("You asked for this report. The farm reads how many backers asked. We tell you when it comes.");
});
