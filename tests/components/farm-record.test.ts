import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { planOfTemplate } from "#shared/reports/templates.ts";
import { type Answers, backer, onPhone, openScreen, press, says } from "#tests/support/app-screen.ts";
import { backedProject } from "#tests/support/screen-samples.ts";

/** A farm's reports as a backer sees them. */

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
  figures: { alive: BigInt(1000 - 40 * number) * 1000n, died: 40_000n, weight: 451n, spent: 12_500_000n },
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
    report(8, { ...missing, isOnTime: true, state: "sent", sentAt: after(56) }),
    report(9, { ...missing, state: "coming" }),
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

test("a backer reads on a phone's first screen whether the farm does well, and below it each week's report", async () => {
  await onPhone(async () => {
    await open();
    const answer = page.getByText("Under plan: 16 % of the planned average weight of a bird");
    await expect.element(answer).toBeVisible();
    await expect.poll(() => answer.element().getBoundingClientRect().bottom).toBeLessThan(740);
    await says("Reports: 4 of 6 on time. The last came 3 days ago.");
    await expect.element(page.getByRole("heading", { name: "How the farm does" })).toBeVisible();
    await says("Report of 6 Oct 2026 excused: The road was under water for a week.");
    const weeks = page.getByRole("list", { name: "Reports, week by week" });
    await expect.element(weeks.getByText("Report 3, 22 Sep 2026: came late")).toBeInTheDocument();
    await expect.element(weeks.getByText("22 Sep", { exact: true })).toBeVisible();
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
  });
});

test("a plot is one tab stop, in which the arrow keys read the reports", async () => {
  await open();
  await page.getByText("More figures: died, money spent").click();
  const reader = page.getByRole("slider", { name: "Money spent, report by report" });
  await expect.element(reader).toHaveAttribute("aria-valuetext", "27 Oct 2026: waiting to be published");
  (reader.element() as HTMLInputElement).focus();
  for (const said of [
    "20 Oct 2026: ₦125,000, on time",
    "13 Oct 2026: ₦125,000, on time",
    "6 Oct 2026: excused",
    "29 Sep 2026: missed",
  ]) {
    await userEvent.keyboard("{ArrowLeft}");
    await expect.element(reader).toHaveAttribute("aria-valuetext", said);
    await says(said);
  }
  await userEvent.keyboard("{Home}");
  await says("8 Sep 2026: ₦125,000, on time");
  const plots = page.getByRole("region", { name: "How the farm does" });
  expect(plots.getByRole("slider").elements()).toHaveLength(4);
  expect(plots.getByRole("button").elements()).toHaveLength(0);
});

test("its table has each week, why it has no figure, and small plans as they are", async () => {
  await open();
  await page.getByText("Average weight of a bird as a table").click();
  const rows = page.getByRole("table").getByRole("row").elements();
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "DueAverage weight of a birdPlannedReport",
    "8 Sep 20260.451 kg0.25 kgon time",
    "15 Sep 20260.451 kg0.45 kgon time",
    "22 Sep 20260.451 kg0.93 kgcame late",
    "29 Sep 2026–1.4 kgmissed",
    "6 Oct 2026–1.9 kgexcused",
    "13 Oct 20260.451 kg2.4 kgon time",
    "20 Oct 20260.451 kg2.75 kgon time",
    "27 Oct 2026–3.1 kgwaiting to be published",
  ]);
});

test("what its farm sold is taken off the plan of the living, and of their number it is on plan", async () => {
  const sold = { figures: { alive: 600_000n, died: 0n, sold: 300_000n }, gone: 300_000n };
  await open({
    "reports.record": { ...record, reports: [report(1, { figures: { alive: 990_000n } }), report(2, sold)] },
  });
  await says("On plan");
  await says("Last: 600 on 15 Sep 2026. The plan is without those that were sold.");
  await page.getByText("Birds alive as a table").click();
  const rows = page.getByRole("table").getByRole("row").elements();
  expect(rows.slice(1).map(({ textContent }) => textContent)).toEqual([
    "8 Sep 2026990999on time",
    "15 Sep 2026600697on time",
  ]);
});

test("of many reports the newest twelve stand in sight", async () => {
  const reports = Array.from({ length: 30 }, (_, index) => report(index + 1));
  await open({ "reports.record": { ...record, reports } });
  const newest = page.getByRole("list", { name: "Reports, week by week" });
  await expect.poll(() => newest.getByRole("listitem").elements().length).toBe(12);
  await page.getByText("Earlier reports (18)").click();
  await expect.element(page.getByText("Report 1, 8 Sep 2026: on time")).toBeInTheDocument();
});

test("a backer asks for a report once, and reads what comes of it", async () => {
  const { answers } = await open({ "reports.canAsk": { number: 9, from: after(59), canAsk: true, hasAsked: false } });
  await expect.element(page.getByRole("button", { name: "Ask for a report" })).toBeVisible();
  answers["reports.canAsk"] = { number: 9, from: after(59), canAsk: false, hasAsked: true };
  answers["reports.ask"] = undefined;
  await press("Ask for a report");
  await says("You asked for this report. The farm reads how many backers asked. We tell you when it comes.");
});
