import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { hasHeading, openScreen, owner, says, serverFault } from "#tests/support/app-screen.ts";

/** The operator's choices, as the home page and the shell around it show them. */

const band = page.getByRole("region", { name: "In figures" });
const stories = page.getByRole("region", { name: "Success stories" });
const rate = "funding success rate for projects that reach 60% of their goal";
const shown = {
  figures: [
    { figure: "214", label: "backers" },
    { figure: "75%", label: rate },
  ],
  testimonials: [
    { id: 1, name: "Amaka", backed: "Backed a catfish farm", words: "Every Friday.", photo: "/art/hero.svg" },
    { id: 2, name: "Tunde", backed: "Backed snail pens", words: "We ate them.", photo: null },
  ],
};

test("the home page shows the operator's figures and what backers say", async () => {
  await openScreen("/", { "site.home": shown });
  await expect.element(band).toHaveTextContent(`backers214${rate}75%`);
  expect(stories.getByRole("figure").elements()).toHaveLength(2);
  await expect.element(stories.getByText("Every Friday.")).toBeVisible();
  expect(stories.element().querySelectorAll("img")).toHaveLength(1);
});

test.each([
  ["there is nothing to show", { figures: [], testimonials: [] }],
  ["it can't be told", serverFault],
])("both are left out where %s", async (_why, answer) => {
  const { calls } = await openScreen("/", { "site.home": answer });
  await hasHeading("Find the farm that you want to see grow");
  await expect.poll(() => calls).toContain("site.home");
  await expect.element(band).not.toBeInTheDocument();
  await expect.element(stories).not.toBeInTheDocument();
});

const footer = page.getByRole("contentinfo");
const careersLink = footer.getByRole("link", { name: "Careers" });

test("a site that offers jobs has a link to them", async () => {
  await openScreen("/contact", {}, {}, { hasCareers: true });
  await expect.element(careersLink).toHaveAttribute("href", "/careers");
});

test("one that offers none has no page for them, and no link to it", async () => {
  await openScreen("/careers", {}, {}, { hasCareers: false });
  await hasHeading("Page not found");
  await expect.element(footer.getByRole("link", { name: "Contact" })).toBeVisible();
  await expect.element(careersLink).not.toBeInTheDocument();
});

test("its applicants are in reach as long as there are any", async () => {
  const counts = { all: 0, new: 0, reviewed: 0, contacted: 0, rejected: 0 };
  const link = page.getByRole("link", { name: "Job Applicants" });
  const answers = { ...owner, "careers.applicantCounts": counts };
  const screen = await openScreen("/admin/dashboard", answers, {}, { hasCareers: false });
  await expect.element(page.getByRole("link", { name: "Messages", exact: true })).toBeVisible();
  await expect.element(link).not.toBeInTheDocument();
  screen.answers["careers.applicantCounts"] = { ...counts, all: 1 };
  await screen.reload();
  await expect.element(link).toBeVisible();
});

test("contact names what references begin with on this site", async () => {
  await openScreen("/contact", {}, {}, { referencePrefix: "HH" });
  await says(
    "Name your payment reference, which begins with HH, so that we find it at once. Never send us your password or card details.",
  );
});
