import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { farmPastTexts } from "#shared/farm-past/texts.ts";
import { recordTexts } from "#shared/farms/record.ts";
import { type Answers, hasHeading, noConnection, openScreen, press, refusal, says } from "#tests/support/app-screen.ts";
import { project, projectCard } from "#tests/support/screen-samples.ts";

/** The page of a farm, its record on a project's page, and the filters of discover. */

type FarmPage = RouterOutputs["farmPages"]["page"];
type Round = FarmPage["record"][number];

const none = { share: { kobo: 0n }, source: "bank" as const };
const good: Round = {
  projectId: 3,
  title: "500 layers",
  round: 1,
  outcome: "funded",
  decidedOn: "2026-07-11",
  stage: "finished",
  lots: 24,
  approvedLots: 24,
  lotsSource: "bank",
  isFew: false,
  reports: { onTime: 11, counted: 12 },
  unit: "crate",
  harvests: [
    {
      number: 1,
      isInsurance: false,
      state: "done",
      note: "",
      restLostReason: null,
      happenedOn: "2026-10-10",
      plannedOn: "2026-09-28",
      counted: 296_000n,
      planned: 290_000n,
      lostQuantity: 2_000n,
      daysToBackers: 4,
      source: "farm",
    },
  ],
  plannedHarvests: 1,
  firstHarvestOn: "2026-09-28",
  insurer: null,
  price: { plannedKobo: 510_000n, reachedKobo: 517_900n, source: "bank" },
  shares: {
    paid: { share: { kobo: 8_440_000n }, source: "bank" },
    produce: { share: { kobo: 1_230_000n }, source: "farm" },
    insurance: none,
    returned: none,
    onItsWay: { ...none, source: "owners" },
    lost: { ...none, source: "owners" },
  },
};
const [harvest] = good.harvests;
const lost: Round = {
  ...good,
  projectId: null,
  title: "600 broilers",
  stage: "lost",
  reports: null,
  isFew: true,
  harvests: harvest
    ? [{ ...harvest, state: "lost", counted: 0n, note: "Newcastle disease.", daysToBackers: null, source: "owners" }]
    : [],
  price: { plannedKobo: 390_000n, reachedKobo: null, source: "bank" },
  shares: {
    ...good.shares,
    paid: { share: { percent: 0 }, source: "bank" },
    produce: { share: { percent: 0 }, source: "farm" },
    insurance: { share: { percent: 65 }, source: "bank" },
  },
};
const farm: FarmPage = {
  id: 1,
  name: "Asa River Poultry",
  state: "Kwara",
  place: "Ilorin",
  sinceYear: 2016,
  story: "Two houses.",
  visitedOn: "2026-11-02",
  isClosed: false,
  running: [projectCard],
  record: [good, lost],
  decidedRounds: 2,
  past: [
    {
      id: 4,
      fromYear: 2017,
      toYear: 2019,
      farmed: "300 layers",
      outcome: "Two flocks, both sold in Ilorin.",
      unit: "crate",
      planned: 6_000_000n,
      harvested: 5_200_000n,
      paidBy: "The family's savings",
      evidence: "Delivery notes of two shops",
    },
  ],
  reports: [
    {
      id: 1,
      title: "Week 29",
      projectId: 3,
      projectTitle: "500 layers",
      number: 9,
      createdAt: new Date("2026-10-01T09:00:00Z"),
    },
  ],
};

test("a farm's page tells who it is, what runs, each round good or bad, and where each figure comes from", async () => {
  await openScreen("/farms/1", { "farmPages.page": farm, "favorites.ids": [] });
  await hasHeading("Asa River Poultry");
  const main = page.getByRole("main").element().textContent ?? "";
  for (const text of ["Ilorin, Kwara", "Farming since 2016", "Visited by us on 2 Nov 2026", recordTexts.nothingSure]) {
    expect(main).toContain(text);
  }
  const [, first = "", second = ""] = page
    .getByRole("article")
    .elements()
    .map(({ textContent }) => textContent ?? "");
  for (const text of [
    "Finished",
    "11 Jul 2026, 24 of 24 lots",
    "11 of 12 on time",
    "296 crates of 290 crates planned",
    "10 Oct 2026, 12 days late (planned 28 Sep 2026)",
    "Backers had their money 4 days after the last sale's came",
    "₦84,400",
    "₦12,300",
    "counted by this site",
  ]) {
    expect(first).toContain(text);
  }
  expect(first).not.toContain("Paid by the insurer");
  for (const text of ["Harvest lost", "Lost, 290 crates planned", "Why: Newcastle disease.", "65%", recordTexts.few]) {
    expect(second).toContain(text);
  }
  expect(second).not.toContain("late");
  const past = page.getByRole("region", { name: farmPastTexts.title }).element().textContent ?? "";
  for (const text of [
    "2017 to 2019: 300 layers",
    "5,200 crates harvested, 6,000 crates planned",
    "We have seen evidence: Delivery notes of two shops",
    farmPastTexts.notOurs,
  ]) {
    expect(past).toContain(text);
  }
  await expect.element(page.getByRole("link", { name: "Week 29" })).toHaveAttribute("href", "/project/3?tab=updates");
});

test("a farm that isn't there, one that can't be loaded, and one for signed-in people say so", async () => {
  await openScreen("/farms/1", { "farmPages.page": refusal("not_found", 404) });
  await hasHeading(recordTexts.notFoundTitle);
  await expect.element(page.getByRole("main").getByRole("link", { name: "Browse Projects" })).toBeVisible();
  await openScreen("/farms/1", { "farmPages.page": refusal("unauthenticated", 401) });
  await expect
    .element(page.getByRole("main").getByRole("link", { name: "Sign In" }))
    .toHaveAttribute("href", "/login?next=%2Ffarms%2F1");
});

const ofFarm: Answers = {
  "projects.byId": { ...project, farmId: 1 },
  "updates.list": { items: [], total: 0 },
  "media.gallery": { items: [], total: 0 },
  "favorites.ids": [],
};

test("a project's page has its farm's record on a card, which leads to the farm", async () => {
  const { answers } = await openScreen("/project/1", { ...ofFarm, "farmPages.record": noConnection });
  await hasHeading(recordTexts.loadFailed);
  answers["farmPages.record"] = { rounds: [good, lost], decidedRounds: 2 };
  await press("Try again");
  await hasHeading("This farm's record");
  await says("Paid to backers of each ₦100,000: ₦84,400");
  await expect
    .element(page.getByRole("link", { name: "More about Lagoon Side Fisheries" }))
    .toHaveAttribute("href", "/farms/1");
});

test("a record that is longer than the page says how much of it is shown", async () => {
  await openScreen("/farms/1", { "farmPages.page": { ...farm, decidedRounds: 231, past: [] }, "favorites.ids": [] });
  await says("These are the newest 2 of 231 rounds.");
  expect(page.getByRole("region", { name: farmPastTexts.title }).elements()).toHaveLength(0);
});

test("a farm without a decided round says that there is nothing to tell", async () => {
  await openScreen("/project/1", { ...ofFarm, "farmPages.record": { rounds: [], decidedRounds: 0 } });
  await says(recordTexts.none);
});

test("filters are in the address, say what they leave, and name the one that leaves nothing", async () => {
  const { answers, sentTo } = await openScreen("/discover", {
    "projects.list": { items: [projectCard], nextCursor: null },
    "projects.count": { total: 7 },
    "favorites.ids": [],
  });
  await press("Filters");
  await expect.element(page.getByRole("button", { name: "Show 7 farms" })).toBeVisible();
  await press("Up to ₦50,000");
  await expect.element(page.getByRole("button", { name: "Filters (1)" })).toBeVisible();
  await page.getByRole("combobox", { name: "State" }).selectOptions("Kwara");
  answers["projects.list"] = { items: [], nextCursor: null };
  answers["projects.count"] = { total: 0 };
  answers["projects.looseFilter"] = { best: { filter: "state", total: 7 } };
  await press("Insurance");
  await expect.element(page.getByRole("button", { name: "No farm fits" })).toBeDisabled();
  await says("Without “Kwara” there is something to see.");
  answers["projects.list"] = { items: [projectCard], nextCursor: null };
  await press("Leave it out: 7 projects");
  await expect.element(page.getByRole("main").getByRole("article")).toBeVisible();
  expect(sentTo("projects.list").at(-1)).toMatchObject({ state: null, maxLotPrice: 50_000, isInsured: true });
});

test("the map's states and their list lead to the filter, and say where nothing runs", async () => {
  const { answers, sentTo } = await openScreen("/discover", {
    "projects.list": { items: [projectCard], nextCursor: null },
    "projects.countByState": noConnection,
    "favorites.ids": [],
  });
  await press("Map");
  await hasHeading("The map could not be loaded.");
  answers["projects.countByState"] = {
    states: [
      { state: "FCT", total: 1 },
      { state: "Kwara", total: 7 },
    ],
  };
  await press("Try again");
  const states = page.getByRole("navigation", { name: "States with projects" });
  await expect.element(states.getByRole("link")).toHaveLength(2);
  await says("No project runs in the other 35 states.");
  await says("Michael Chukwu, svg-maps");
  expect(document.querySelectorAll("svg[viewBox='0 0 744 600'] path")).toHaveLength(37);
  expect(document.querySelectorAll("svg[viewBox='0 0 744 600'] a")).toHaveLength(2);
  await states.getByRole("link", { name: "Kwara 7 projects" }).click();
  await expect.element(states.getByRole("link", { name: "Kwara 7 projects" })).toHaveAttribute("aria-current", "page");
  await expect.poll(() => sentTo("projects.list").at(-1)).toMatchObject({ state: "Kwara" });
  await states.getByRole("link", { name: "Kwara 7 projects" }).click();
  await expect.element(states.getByRole("link", { name: "Kwara 7 projects" })).not.toHaveAttribute("aria-current");
});

test("the map says when no project runs anywhere, and is open where the address says so", async () => {
  await openScreen("/discover?map=true", {
    "projects.list": { items: [projectCard], nextCursor: null },
    "projects.countByState": { states: [] },
    "favorites.ids": [],
  });
  await says("No project runs on a farm at the moment.");
  await press("Map");
  await expect.element(page.getByText("No project runs on a farm at the moment.")).not.toBeInTheDocument();
});
