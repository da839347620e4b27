import { expect, onTestFinished, test } from "vitest";
import { page } from "vitest/browser";
import { administratorsName } from "#shared/projects/texts.ts";
import {
  type Answers,
  backer,
  hasHeading,
  noConnection,
  openScreen,
  owner,
  press,
  refusal,
  says,
} from "#tests/support/app-screen.ts";
import { createdAt, project, projectCard } from "#tests/support/screen-samples.ts";

/** The public pages of projects, where the server isn't reached, refuses or has nothing. */

const cards = page.getByRole("main").getByRole("link", { name: projectCard.title });
const filled: Answers = {
  "projects.byId": project,
  "updates.list": { items: [], total: 0 },
  "media.gallery": { items: [], total: 0 },
  "favorites.ids": [],
};

test("home says so when the projects can't be loaded, and loads them on demand", async () => {
  const { answers } = await openScreen("/", { "projects.featured": noConnection });
  await hasHeading("Failed to load projects. Please try again later.");
  answers["projects.featured"] = [projectCard];
  await press("Try again");
  await expect.element(cards.first()).toBeVisible();
});

test.each([true, false])("a demo says so at once on every page, and nothing else does: %s", async (isDemo) => {
  await openScreen("/discover", { "projects.list": { items: [projectCard], nextCursor: null } }, {}, { isDemo });
  await expect.element(cards.first()).toBeVisible();
  const notices = page.getByRole("complementary", { name: "Demo notice" });
  expect(notices.elements().map(({ textContent }) => textContent)).toEqual(
    isDemo ? ["Demo. The farms, people and bank details here are made up. Send no money."] : [],
  );
});

test("discover says so when the list can't be loaded, and loads it on demand", async () => {
  const { answers } = await openScreen("/discover", { "projects.list": noConnection });
  await hasHeading("Failed to load projects. Please try again later.");
  answers["projects.list"] = { items: [projectCard], nextCursor: null };
  await press("Try again");
  await expect.element(cards.first()).toBeVisible();
});

const inLots = { ...project, lots: 40, lotPriceKobo: 5_000_000n, approvedLots: 12 };
/** Tuesday 14:05 in Lagos, and the day before. */
const until = new Date("2026-11-24T13:05:00Z");
const held = { lots: 0, mine: 0, mineUntil: null, freeAt: null, now: new Date("2026-11-23T13:05:00Z") };

test("a project in lots tells taken, held and free ones apart", async () => {
  const { answers, reload } = await openScreen("/project/1", {
    ...filled,
    "projects.byId": { ...inLots, held: { ...held, lots: 3, freeAt: until } },
  });
  await says("12 of 40 lots taken");
  await says("25 lots, 3 held");
  await says("₦50,000");
  await expect.element(page.getByText(/Held for other backers/)).not.toBeInTheDocument();
  answers["projects.byId"] = { ...inLots, held };
  await reload();
  await says("28 lots");
});

test.each([
  ["others hold what is left", inLots, { lots: 28, freeAt: until }, "Held for other backers until Tuesday 14:05"],
  ["others hold the one lot", project, { lots: 1, freeAt: until }, "Held for other backers until Tuesday 14:05"],
  ["the reader holds some", inLots, { lots: 2, mine: 2, mineUntil: until }, "2 lots held for you until Tuesday 14:05"],
] as const)("where %s the page says until when", async (_, shown, change, text) => {
  await openScreen("/project/1", { ...filled, "projects.byId": { ...shown, held: { ...held, ...change } } });
  await says(text);
});

test("a closed project says whether it was funded", async () => {
  const closed = { ...inLots, isClosed: true };
  await openScreen("/project/1", {
    ...filled,
    "projects.byId": { ...closed, approvedLots: 0, outcome: "not_funded" },
  });
  await says("Not funded");
  await says("It was not funded. Everything that was paid goes back to its backers.");
});

const growing = { week: 33, planned: 6, counted: 0, lost: 0, unit: "kg" as const, paidKobo: 0n, collected: 0n };

test.each([
  ["nothing is harvested", growing, "Growing, week 33", "Nothing is harvested yet."],
  [
    "some of its harvests came",
    { ...growing, counted: 2, paidKobo: 294_800_000n, collected: 36_000n },
    "Growing, week 33",
    "Backers have received ₦2,948,000 and 36 kg of produce.",
  ],
  ["all came", { ...growing, counted: 6 }, "Harvested", "Backers have received nothing yet."],
  [
    "all were lost",
    { ...growing, planned: 1, counted: 1, lost: 1 },
    "Lost",
    "The harvest was lost. Backers have received nothing of it.",
  ],
])("of a funded farm where %s the page says where it is", async (_, progress, stage, received) => {
  const funded = { ...inLots, isClosed: true, approvedLots: 40, outcome: "funded" as const, progress };
  await openScreen("/project/1", { ...filled, "projects.byId": funded });
  await says("40 of 40 lots taken");
  const stages = page.getByRole("list", { name: "Where the farm is" });
  await expect.element(stages.getByText(stage, { exact: true })).toHaveAttribute("aria-current", "step");
  await says(received);
});

test("others' receipts are a warning only where no lot is free, and the action is the waiting list then", async () => {
  const reviewed = { ...inLots, isUnderReview: true };
  const { answers, reload } = await openScreen("/project/1", { ...filled, "projects.byId": { ...reviewed, held } });
  await expect.element(page.getByRole("button", { name: "Back this project" }).first()).toBeVisible();
  await expect.element(page.getByText("A receipt for this project is under review")).not.toBeInTheDocument();
  answers["projects.byId"] = { ...reviewed, held: { ...held, lots: 28 } };
  await reload();
  await says("None, 28 held");
  await says("A receipt for this project is under review");
  await expect.element(page.getByRole("button", { name: "Join the waiting list" }).first()).toBeVisible();
});

test("a project says when there are no updates and no pictures yet", async () => {
  await openScreen("/project/1?tab=updates", filled);
  await hasHeading("No updates yet");
  await page.getByRole("tab", { name: "Gallery" }).click();
  await hasHeading("Gallery coming soon");
});

test("a gallery that can't be loaded says so, and loads on demand", async () => {
  const { answers } = await openScreen("/project/1?tab=gallery", { ...filled, "media.gallery": noConnection });
  await hasHeading("The gallery could not be loaded.");
  answers["media.gallery"] = { items: [], total: 0 };
  await press("Try again");
  await hasHeading("Gallery coming soon");
});

test("a page of a long gallery that can't be had says so, and loads on demand", async () => {
  const photoOf = (page: number) => ({
    id: page,
    type: "photo" as const,
    url: projectCard.imageUrl,
    altText: `Goat ${page}`,
    createdAt,
    width: null,
    height: null,
    posterUrl: null,
    stream: null,
  });
  const { answers } = await openScreen("/project/1?tab=gallery", {
    ...filled,
    "media.gallery": ({ page = 1 }) => (page === 1 ? { items: [photoOf(1)], total: 30 } : noConnection),
  });
  await page.getByRole("navigation", { name: "Gallery: pages" }).getByRole("button", { name: "Page 4" }).click();
  await hasHeading("The gallery could not be loaded.");
  answers["media.gallery"] = ({ page = 1 }) => ({ items: [photoOf(page)], total: 30 });
  await press("Try again");
  await expect.element(page.getByRole("button", { name: "Photo: Goat 4" })).toBeVisible();
});

test("a project asks for a sign-in where the installation wants one, and doesn't ask the server again", async () => {
  const { calls } = await openScreen("/project/1?tab=updates", {
    ...filled,
    "projects.byId": refusal("unauthenticated", 401),
  });
  await hasHeading("Authentication Required");
  await says("Please log in to view this project's details");
  const main = page.getByRole("main");
  await expect
    .element(main.getByRole("link", { name: "Sign In" }))
    .toHaveAttribute("href", "/login?next=%2Fproject%2F1");
  await expect.element(main.getByRole("link", { name: "Browse Projects" })).toBeVisible();
  expect(calls.filter((call) => call === "projects.byId")).toHaveLength(1);
});

test("a project is asked for three times more when the server isn't reached", async () => {
  const { calls } = await openScreen("/project/1?tab=updates", { ...filled, "projects.byId": noConnection });
  await hasHeading("Project Not Found");
  await says("Network error. Please check your internet connection.");
  expect(calls.filter((call) => call === "projects.byId")).toHaveLength(4);
});

test("a favorite where another tab was faster reads Already favorited, and of a failure", async () => {
  const { answers } = await openScreen("/project/1?tab=updates", {
    ...backer,
    ...filled,
    "favorites.add": refusal("conflict", 409, "Already favorited"),
  });
  const button = page.getByRole("button", { name: "Favorite", exact: true });
  await button.click();
  await says("Already favorited");
  answers["favorites.add"] = refusal("internal", 500);
  await expect.element(button).toHaveAttribute("aria-pressed", "false");
  await button.click();
  await says("Failed to favorite project");
  await expect.element(button).toHaveAttribute("aria-pressed", "false");
});

test("/start-project says nothing of a role before the server has answered, and offers to ask again", async () => {
  const { answers } = await openScreen("/start-project", { "auth.viewer": noConnection });
  const refused = page.getByText("Project creation is restricted to administrators.", { exact: true });
  await expect.element(page.getByRole("button", { name: "Try again" })).toBeVisible();
  expect(refused.elements()).toEqual([]);
  answers["auth.viewer"] = null;
  await press("Try again");
  await expect.element(refused).toBeVisible();
});

test.each([
  ["names who runs the farm", "Lagoon Side Fisheries", true],
  ["says nothing of who runs an administrators' project", administratorsName, false],
])("the page %s", async (_, creator, isNamed) => {
  await openScreen("/project/1", { ...filled, "projects.byId": { ...project, creator } });
  await hasHeading(project.title);
  const main = page.getByRole("main");
  expect(main.getByText(/Run by/).elements().length > 0).toBe(isNamed);
  expect(main.getByText(new RegExp(creator)).elements().length > 0).toBe(isNamed);
});

test("/start-project is explained to an administrator whose role can't, and leads others on", async () => {
  const viewer = owner["auth.viewer"] as Extract<Answers["auth.viewer"], { permissions: unknown }>;
  const { answers, reload } = await openScreen("/start-project", owner);
  const start = page.getByRole("main").getByRole("link", { name: "Start a project" });
  await expect.element(start).toHaveAttribute("href", "/create-project");
  answers["auth.viewer"] = { ...viewer, permissions: ["projects:view"] };
  await reload();
  await expect.element(page.getByText(/^Your role lets you view projects but not create them/)).toBeVisible();
  expect(start.elements()).toEqual([]);
  answers["auth.viewer"] = null;
  await reload();
  await says("Project creation is restricted to administrators.");
  await expect
    .element(page.getByRole("main").getByRole("link", { name: "Discover projects" }))
    .toHaveAttribute("href", "/discover");
});

test("a project is shared by its one address, with WhatsApp first, and by a phone's own way", async () => {
  const shared: unknown[] = [];
  const share = (data: unknown) => {
    shared.push(data);
    return Promise.reject(new DOMException("closed", "AbortError"));
  };
  Object.assign(navigator, { share });
  onTestFinished(() => void Reflect.deleteProperty(navigator, "share"));
  await openScreen("/project/1?tab=updates", filled);
  const links = page.getByRole("region", { name: "Share this project" }).getByRole("link");
  await expect.element(links.first()).toBeVisible();
  const [whatsApp, facebook, x] = links.elements().map((link) => new URL((link as HTMLAnchorElement).href));
  const address = `${location.origin}/project/1`;
  const text = `${project.title} on Gona:`;
  expect(whatsApp?.searchParams.get("text")).toBe(`${text} ${address}`);
  expect(facebook?.searchParams.get("u")).toBe(address);
  expect([x?.searchParams.get("text"), x?.searchParams.get("url")]).toEqual([text, address]);
  for (const link of links.elements()) expect(link.getAttribute("rel")).toBe("noopener noreferrer");
  await expect.element(page.getByRole("button", { name: "Copy link" })).toBeVisible();
  await press("Share with an app");
  await expect.poll(() => shared).toEqual([{ title: project.title, text: `${project.title} on Gona`, url: address }]);
});
