import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { backer, openScreen } from "#tests/support/app-screen.ts";

/** The pages of text and the frame around every page, as the specification wants them. */

const main = page.getByRole("main");
const textsOf = (elements: Element[]) => elements.map(({ textContent }) => textContent);

test("Trust & Safety has five cards, a link to book a visit and three reasons", async () => {
  await openScreen("/trust-safety");
  await expect.element(page.getByRole("heading", { level: 1, name: "Trust & Safety" })).toBeVisible();
  expect(textsOf(main.getByRole("list").first().getByRole("heading").elements())).toEqual([
    ...["Transparency", "Sustainability", "Safety & Security", "24/7 Investment Feed", "Book a Visit"],
  ]);
  await expect.element(main.getByRole("link", { name: "Book a Visit" })).toHaveAttribute("href", "/contact#visit");
  const reasons = main.getByRole("heading", { name: /^Why Trust/ }).element().parentElement;
  expect(reasons?.querySelectorAll("li")).toHaveLength(3);
});

test("the questions stand in three groups", async () => {
  await openScreen("/faq");
  await expect.element(main.getByRole("heading", { level: 2 }).first()).toBeVisible();
  expect(textsOf(main.getByRole("heading", { level: 2 }).elements())).toEqual([
    ...["Backing a farm", "Updates from the farm", "Your account", "Your question isn't here?"],
  ]);
  await expect.poll(() => document.querySelectorAll("details[open]").length).toBe(0);
});

test("the footer has For Backers and About, and an account for whoever has one", async () => {
  const footer = page.getByRole("contentinfo");
  const { answers, reload } = await openScreen("/trust-safety");
  for (const name of ["For Backers", "About"]) {
    await expect.element(footer.getByRole("heading", { name, exact: true })).toBeVisible();
  }
  await expect.element(footer.getByRole("link", { name: "Create an account" })).toBeVisible();
  Object.assign(answers, backer);
  await reload();
  await expect.element(footer.getByRole("link", { name: "My account" })).toHaveAttribute("href", "/profile/account");
  await expect.element(footer.getByRole("link", { name: "Create an account" })).not.toBeInTheDocument();
});

test("/create-creator-resources leads to /creator-resources, and an unknown path says so", async () => {
  const { path } = await openScreen("/create-creator-resources");
  await expect.element(page.getByRole("heading", { level: 1, name: "Creator Resources" })).toBeVisible();
  expect(path()).toBe("/creator-resources");
});
