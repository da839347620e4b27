import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { homeTexts } from "#shared/site/home-texts.ts";
import {
  type Answers,
  alerts,
  chooseFiles,
  dialog,
  fitsPhone,
  hasHeading,
  openScreen,
  owner,
  press,
  refusal,
  says,
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";
import { createdAt } from "#tests/support/screen-samples.ts";

/** The section "Home page" of the tab "This site". */

const address = "/admin/settings?tab=site&section=home";
const claimed = { figures: [{ figure: "150+", label: "backers" }], decided: null };
const computed = { figures: [{ figure: "12", label: "backers" }], decided: 7 };
const said = {
  id: 1,
  name: "Amaka",
  backed: "Backed a catfish farm",
  words: "Every Friday.",
  agreement: "By email",
  photo: null,
  hiddenAt: null,
  createdAt,
  writtenBy: "Chidi Eze",
};
const settings = {
  choice: "computed" as const,
  previews: { computed, claimed },
  hasCareers: false,
  testimonials: [said],
};
const answers: Answers = {
  ...owner,
  "site.homeSettings": settings,
  "settings.save": { wasAdded: true, wasChanged: true },
};
const preview = page.getByRole("region", { name: "What visitors see" });

test("each choice of figures shows what visitors would see, and is saved", async () => {
  const saved: unknown[] = [];
  const { answers: given } = await openScreen(address, {
    ...answers,
    "settings.save": (input) => {
      saved.push(input?.values);
      return { wasAdded: true, wasChanged: true };
    },
  });
  await expect.element(preview).toHaveTextContent("What visitors seebackers12");
  await page.getByRole("radio", { name: /^None/ }).click();
  await expect.element(preview).toHaveTextContent("What visitors seeNo figures.");
  await page.getByRole("radio", { name: /^Claimed/ }).click();
  await expect.element(preview).toHaveTextContent("What visitors seebackers150+");
  given["site.homeSettings"] = { ...settings, choice: "claimed" };
  await press("Save figures");
  await tells("Setting updated successfully");
  expect(saved).toEqual([{ homefigures: "claimed" }]);
  await fitsPhone();
});

test("computed figures that wait say for how many rounds", async () => {
  const waiting = { computed: { figures: [], decided: 3 }, claimed };
  await openScreen(address, { ...answers, "site.homeSettings": { ...settings, previews: waiting } });
  await expect.element(preview).toHaveTextContent("What visitors seeNo figures yet: 3 of 5 rounds are decided.");
});

test("jobs are switched on at once, and a refusal leaves the switch as it was", async () => {
  const { answers: given } = await openScreen(address, { ...answers, "settings.save": serverFault });
  const jobs = page.getByRole("switch", { name: /^The site offers jobs/ });
  await jobs.click();
  await alerts("Failed to update setting");
  await expect.element(jobs).not.toBeChecked();
  Object.assign(given, {
    "settings.save": answers["settings.save"],
    "site.homeSettings": { ...settings, hasCareers: true },
  });
  await jobs.click();
  await expect.element(jobs).toBeChecked();
});

test("a testimonial is hidden, and shown again", async () => {
  const { answers: given } = await openScreen(address, { ...answers, "site.hideTestimonial": undefined });
  await expect.element(page.getByRole("button", { name: "Hide what Amaka says" })).toBeVisible();
  given["site.homeSettings"] = { ...settings, testimonials: [{ ...said, hiddenAt: createdAt }] };
  await press("Hide what Amaka says");
  await tells(homeTexts.hidden);
  // The list is refetched after the toast. The next answer has to wait until it shows the change.
  await expect.element(page.getByRole("button", { name: "Show what Amaka says again" })).toBeVisible();
  given["site.homeSettings"] = settings;
  await press("Show what Amaka says again");
  await tells(homeTexts.shown);
  await expect.element(page.getByRole("button", { name: "Hide what Amaka says" })).toBeVisible();
});

test("one without words is refused; refused by the server it stays typed, and its photo isn't sent twice", async () => {
  const photo = `/files/photos/${"a".repeat(32)}/192.webp`;
  const added: unknown[] = [];
  const full = refusal("conflict", 409, homeTexts.full);
  const { answers: given, uploads } = await openScreen(address, {
    ...answers,
    "site.homeSettings": { ...settings, testimonials: [] },
    "site.addTestimonial": full,
  });
  await says("None yet. Until there is one, the home page leaves “Success stories” out.");
  await press("Add a testimonial");
  await press("Put it onto the home page");
  await says(homeTexts.nameMissing);
  await dialog.getByLabelText("Name").fill("Tunde");
  await dialog.getByLabelText("What they backed").fill("Backed snail pens");
  await dialog.getByLabelText("What they say").fill("We ate them.");
  await dialog.getByLabelText("How they agreed to stand here").fill("On the phone");
  await chooseFiles(dialog.getByLabelText("Photo (optional)"), new File(["x"], "tunde.png", { type: "image/png" }));
  await press("Put it onto the home page");
  await expect.poll(() => uploads.length).toBe(1);
  uploads[0]?.answer(200, { url: photo });
  await expect.element(dialog.getByRole("alert")).toHaveTextContent(homeTexts.full);
  given["site.addTestimonial"] = (input) => {
    added.push(input);
    return { testimonialId: 2 };
  };
  await press("Put it onto the home page");
  await tells(homeTexts.added);
  await expect.element(dialog).not.toBeInTheDocument();
  const words = { name: "Tunde", backed: "Backed snail pens", words: "We ate them.", agreement: "On the phone" };
  expect([added, uploads.length]).toEqual([[{ ...words, photo }], 1]);
});

test("a failure to load is told, and mended by another try", async () => {
  const { answers: given } = await openScreen(address, { ...answers, "site.homeSettings": serverFault });
  await hasHeading(homeTexts.loadFailed);
  given["site.homeSettings"] = settings;
  await press("Try again");
  await expect.element(preview).toBeVisible();
});
