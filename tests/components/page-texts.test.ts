import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { pageTextTexts as texts } from "#shared/site/page-texts.ts";
import { type Answers, openScreen, owner, refusal } from "#tests/support/app-screen.ts";

const main = page.getByRole("main");

const terms = {
  page: "terms" as const,
  version: 3,
  isShipped: false,
  state: "in_force" as const,
  inForceFrom: new Date("2027-03-01T09:00:00Z"),
  until: null,
  lead: "In <em>plain</em> words.",
  summary: { title: "Before you pay", html: "<p>Farming can fail.</p>" },
  body: '<h2 id="law">1. Law</h2><p>See our <a href="/faq">questions</a>.</p>',
  contents: [{ id: "law", title: "1. Law" }],
  today: "2027-04-05",
  others: [
    {
      version: 2,
      inForceFrom: new Date("2026-11-21T09:00:00Z"),
      until: new Date("2027-03-01T09:00:00Z"),
    },
  ],
};
const shipped = { ...terms, version: 0, isShipped: true, inForceFrom: null, others: [] };
const figures = {
  fee: "5%",
  holdHours: "24 hours",
  refundDays: "5 working days",
  reviewDays: "one working day",
  holdsLots: true,
};

test("a text says since when it is in force and leads to earlier versions, and its links stay in the app", async () => {
  const { path } = await openScreen("/terms", { "site.page": terms, "site.figures": figures });
  await expect.element(main.getByText("Last updated: 5 Apr 2027")).toBeVisible();
  await expect.element(main.getByText("Version 3, in force since 1 Mar 2027.")).toBeVisible();
  await main.getByText("Earlier versions").click();
  await expect.element(main.getByRole("link", { name: "Version 2" })).toHaveAttribute("href", "?version=2");
  await expect.element(main.getByText("Before you pay")).toBeVisible();
  await main.getByRole("link", { name: "questions" }).click();
  await expect.poll(path).toBe("/faq");
});

test("an earlier version says that it is no longer in force", async () => {
  const past = { ...terms, version: 2, state: "past" as const, until: new Date("2027-03-01T09:00:00Z"), others: [] };
  await openScreen("/terms?version=2", { "site.pageVersion": past });
  await expect.element(main.getByText(texts.noLongerInForce)).toBeVisible();
  await expect.element(main.getByRole("link", { name: "Read the version in force" })).toHaveAttribute("href", "/terms");
});

test("a version that nobody may read, and a text that can't be loaded, say so", async () => {
  await openScreen("/terms?version=9", { "site.pageVersion": refusal("not_found", 404, texts.noVersion) });
  await expect.element(main.getByText(texts.noVersion)).toBeVisible();
});

test("over a shipped text an owner reads that it is a draft, and visitors don't", async () => {
  const { answers, reload } = await openScreen("/terms", { "site.page": shipped });
  await expect.element(main.getByText("Farming can fail.")).toBeVisible();
  await expect.element(main.getByText(/^Version/)).not.toBeInTheDocument();
  await expect.element(main.getByText(texts.draft)).not.toBeInTheDocument();
  localStorage.setItem("isAdmin", "true");
  Object.assign(answers, owner);
  await reload();
  await expect.element(main.getByText(texts.draft)).toBeVisible();
});

test("the questions name the site's fee, hours and days", async () => {
  const { answers, reload } = await openScreen("/faq", { "site.figures": figures });
  await expect.element(main.getByText(/held for you for 24 hours/)).toBeInTheDocument();
  await expect.element(main.getByText(/we promise to pay within 5 working days/)).toBeInTheDocument();
  answers["site.figures"] = { ...figures, holdHours: "0 hours", holdsLots: false };
  await reload();
  await expect.element(main.getByText(/This site holds no lots at present/)).toBeInTheDocument();
});

const source = {
  page: "terms" as const,
  version: 0,
  html: "<p>In plain words.</p>",
  isShipped: true,
  comesAt: null,
};
const ofTexts: Answers = {
  ...owner,
  "site.pages": [
    {
      page: "about",
      versions: [
        {
          ...terms.others[0],
          version: 1,
          state: "in_force",
          until: null,
          isMaterial: false,
          createdAt: new Date(),
          writtenBy: "Chidi Eze",
        },
      ],
    },
    { page: "terms", versions: [] },
    { page: "privacy", versions: [] },
  ],
  "site.pageSource": source,
} as Answers;
const written = () => main.getByRole("textbox", { name: "Text" }).query()?.textContent;
const settings = "/admin/settings?tab=site&section=texts";

test("an owner sees which texts are drafts, and adopts one", async () => {
  let adopted: unknown;
  await openScreen(settings, {
    ...ofTexts,
    "site.adoptPage": (input) => {
      adopted = input;
      return { version: 1 };
    },
  });
  await expect.element(main.getByText(texts.drafts)).toBeVisible();
  const about = main.getByRole("listitem", { name: "About us" });
  await expect.element(about.getByText("In force", { exact: true })).toBeVisible();
  await expect.element(about.getByRole("button", { name: "Adopt" })).not.toBeInTheDocument();
  await main.getByRole("listitem", { name: "Terms of Service" }).getByRole("button", { name: "Adopt" }).click();
  await expect.poll(() => adopted).toEqual({ page: "terms", seenVersion: 0 });
});

test("what an owner writes outlives a reload, is refused at its field, and is saved with its day", async () => {
  let saved: unknown;
  const { answers, reload } = await openScreen(settings, {
    ...ofTexts,
    "site.savePage": refusal("invalid", 400, texts.noteMissing, { fields: { changeNote: [texts.noteMissing] } }),
  });
  const open = () =>
    main.getByRole("listitem", { name: "Terms of Service" }).getByRole("button", { name: "Write" }).click();
  await open();
  await main.getByRole("combobox", { name: "Insert a variable" }).selectOptions("Company {{company}}");
  await expect.poll(written).toContain("{{company}}");
  await main.getByRole("switch", { name: /^This change is material/ }).click();
  await reload();
  await open();
  await expect.poll(written).toContain("{{company}}");
  await expect.element(main.getByRole("switch", { name: /^This change is material/ })).toBeChecked();
  await main.getByRole("button", { name: "Save" }).click();
  await expect.element(main.getByText(texts.noteMissing)).toBeVisible();

  answers["site.savePage"] = (input) => {
    saved = input;
    return { version: 1 };
  };
  await main.getByRole("textbox", { name: /^What changes/ }).fill("We name the company.");
  await main.getByLabelText("In force from").fill("2027-03-01");
  await main.getByRole("button", { name: "Save" }).click();
  await expect.element(main.getByRole("listitem", { name: "Terms of Service" })).toBeVisible();
  expect(saved).toMatchObject({
    page: "terms",
    seenVersion: 0,
    isMaterial: true,
    changeNote: "We name the company.",
    inForceOn: "2027-03-01",
  });
  await open();
  await expect.poll(written).toBe("In plain words.");
});

test("a text that another owner saved meanwhile is kept, and may follow theirs", async () => {
  const { answers } = await openScreen(settings, {
    ...ofTexts,
    "site.savePage": refusal("conflict", 409, texts.changedMeanwhile),
  });
  await main.getByRole("listitem", { name: "Terms of Service" }).getByRole("button", { name: "Write" }).click();
  await main.getByRole("textbox", { name: /^What changes/ }).fill("Mine.");
  answers["site.pageSource"] = { ...source, version: 1, html: "<p>Theirs.</p>", isShipped: false } as never;
  await main.getByRole("button", { name: "Save" }).click();
  await expect.element(main.getByRole("button", { name: "Save" })).toBeDisabled();
  await main.getByRole("button", { name: "Mine follows it" }).click();
  await expect.element(main.getByRole("button", { name: "Save" })).toBeEnabled();
  await expect.element(main.getByRole("textbox", { name: "Text" })).toHaveTextContent("In plain words.");
});

test("only the terms can change materially: over another text one reads that nobody is asked or mailed", async () => {
  let saved: unknown;
  await openScreen(settings, {
    ...ofTexts,
    "site.pageSource": ({ page }) => ({ ...source, page }),
    "site.savePage": (input) => {
      saved = input;
      return { version: 1 };
    },
  });
  await main.getByRole("listitem", { name: "Privacy Policy" }).getByRole("button", { name: "Write" }).click();
  await expect.element(main.getByText(texts.tellsNobody)).toBeVisible();
  await expect.element(main.getByRole("switch")).not.toBeInTheDocument();
  await main.getByRole("textbox", { name: /^What changes/ }).fill("We keep less.");
  await main.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => saved).toMatchObject({ page: "privacy", isMaterial: false, changeNote: "We keep less." });
});

test("whoever writes over a version that is still to come reads that theirs may take its place", async () => {
  const coming = { ...source, version: 2, isShipped: false, comesAt: new Date("2027-03-01T00:00:00+01:00") };
  await openScreen(settings, { ...ofTexts, "site.pageSource": coming });
  await main.getByRole("listitem", { name: "Terms of Service" }).getByRole("button", { name: "Write" }).click();
  await expect.element(main.getByText("Version 2 is in force from 1 Mar 2027 on")).toBeVisible();
});

test.each([
  ["the terms", "/terms?version=4", false],
  ["another text", "/privacy?version=4", true],
])("a version of %s that is still to come says so", async (_, address, isForOwners) => {
  const coming = {
    ...terms,
    page: isForOwners ? ("privacy" as const) : terms.page,
    version: 4,
    state: "coming" as const,
  };
  await openScreen(address, { "site.pageVersion": coming });
  await expect.element(main.getByText(texts.notYetInForce)).toBeVisible();
  const forOwners = main.getByText(/Only owners see it until then/);
  if (isForOwners) await expect.element(forOwners).toBeVisible();
  else await expect.element(forOwners).not.toBeInTheDocument();
});
