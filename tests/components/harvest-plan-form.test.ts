import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { termsFieldTexts } from "#shared/projects/terms.ts";
import { defaultTerms, termsTexts } from "#shared/projects/terms-texts.ts";
import { type Answers, fitsPhone, openScreen, owner, press, says, tells } from "#tests/support/app-screen.ts";
import { editedProject } from "#tests/support/screen-samples.ts";

/** The plan of each harvest, in the form of a round's terms. */

const group = page.getByRole("group", { name: "Plan of each harvest" });
const harvest = (number: number) => group.getByLabelText(`Harvest ${number}, in kg`);
const harvests = page.getByLabelText("Planned harvests");
const shownRest = (text: string) => expect.element(group.getByText(text, { exact: true })).toBeVisible();
const save = () => press("Save harvest terms");
const planned = {
  ...defaultTerms(500),
  unit: "kg" as const,
  plannedQuantity: 1_000_000n,
  plannedHarvests: 3,
  version: 1,
};
const filled: Answers = { ...owner, "projects.forEdit": { ...editedProject, terms: planned } };

test("each harvest is planned by itself while what is left to give is shown, and must sum to the whole", async () => {
  const { answers, sentTo } = await openScreen("/edit-project/1", { ...filled, "projects.updateTerms": undefined });
  await shownRest("Equal parts: about 333.333 kg each. Plan them one by one if later harvests are smaller by nature.");
  await press("Plan each harvest");
  await expect.element(harvest(1)).toHaveValue("333.334");
  await shownRest("All 1,000 kg are given");
  await harvest(1).fill("600");
  await shownRest("266.666 kg more than the 1,000 kg in all");
  await harvest(2).fill("280");
  await harvest(3).fill("");
  await shownRest("120 kg of 1,000 kg still to give");
  await save();
  await says(termsFieldTexts.quantity);
  await expect.element(harvest(3)).toHaveFocus();
  await harvest(3).fill("100");
  await save();
  await says(termsFieldTexts.harvestsSum(980_000n, 1_000_000n));
  await fitsPhone();

  // One harvest more begins empty; the others stay as they were typed.
  await harvests.fill("4");
  await expect.element(harvest(2)).toHaveValue("280");
  await harvest(4).fill("20");
  await shownRest("All 1,000 kg are given");
  answers["projects.updateTerms"] = () => {
    answers["projects.forEdit"] = { ...editedProject, terms: { ...planned, version: 2 } };
    return undefined;
  };
  await save();
  await tells(termsTexts.saved);
  expect(sentTo("projects.updateTerms")).toMatchObject([
    { plannedHarvests: 4, harvestPlan: ["600", "280", "100", "20"] },
  ]);
});

test("equal parts are taken again by a press, and of a single harvest there is nothing to plan", async () => {
  const harvestPlan = [600_000n, 300_000n, 100_000n];
  const { sentTo } = await openScreen("/edit-project/1", {
    ...owner,
    "projects.forEdit": { ...editedProject, terms: { ...planned, harvestPlan } },
    "projects.updateTerms": undefined,
  });
  await expect.element(harvest(3)).toHaveValue("100");
  await harvests.fill("1");
  await expect.element(group).not.toBeInTheDocument();
  await harvests.fill("3");
  await expect.element(harvest(3)).toHaveValue("100");
  await press("Equal parts");
  await expect.element(harvest(1)).not.toBeInTheDocument();
  await save();
  await tells(termsTexts.saved);
  expect(sentTo("projects.updateTerms")).toMatchObject([{ plannedHarvests: 3, harvestPlan: [] }]);
});

test("a plan of frozen terms can only be read", async () => {
  const harvestPlan = [600_000n, 300_000n, 100_000n];
  await openScreen("/edit-project/1", {
    ...owner,
    "projects.forEdit": { ...editedProject, lockedBy: "decided", terms: { ...planned, harvestPlan } },
  });
  await expect.element(harvest(1)).toHaveAttribute("readonly");
  await expect.element(group.getByRole("button")).not.toBeInTheDocument();
});
