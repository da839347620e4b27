import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { termsFieldTexts } from "#shared/projects/terms.ts";
import { defaultTerms, termsTexts } from "#shared/projects/terms-texts.ts";
import { type Answers, fitsPhone, openScreen, owner, press, says, tells } from "#tests/support/app-screen.ts";
import { editedProject } from "#tests/support/screen-samples.ts";

/** The parts of a farm's money in the form of a round's terms. */

const parts = page.getByRole("group", { name: "Money to the farm" });
const part = (number: number) => parts.getByRole("listitem").nth(number - 1);
const label = (number: number) => part(number).getByLabelText("What it is for");
const rate = (number: number) => part(number).getByLabelText("Part of what was raised");
const days = (number: number) => part(number).getByLabelText("Days after the funding");
const shownSum = (text: string) => expect.element(parts.getByText(text, { exact: true })).toBeVisible();
const save = () => press("Save harvest terms");
const filled: Answers = { ...owner, "projects.forEdit": editedProject };

test("parts are added, moved and removed while their sum is shown, and each fault stands at its field", async () => {
  const { answers, sentTo } = await openScreen("/edit-project/1", { ...filled, "projects.updateTerms": undefined });
  await press("Let it go in parts");
  await shownSum("0% of 100%");
  await save();
  await says(termsFieldTexts.partLabel);
  await says(termsFieldTexts.partRate);
  await expect.element(label(1)).toHaveFocus();

  await label(1).fill("Feed to week 5");
  await rate(1).fill("45.5");
  await days(1).fill("14");
  await press("Add a part");
  await label(2).fill("Chicks and first feed");
  await rate(2).fill("40");
  await shownSum("85.5% of 100%");
  await save();
  await says(termsFieldTexts.partOrder);
  await press("Move part 2 up");
  await expect.element(label(1)).toHaveValue("Chicks and first feed");
  await expect.element(page.getByRole("button", { name: "Move part 1 up" })).toBeDisabled();
  await expect.element(page.getByRole("button", { name: "Move part 2 down" })).toBeDisabled();
  await save();
  await says(termsFieldTexts.partsSum("85.5%"));

  await press("Add a part");
  await press("Remove part 3");
  await rate(2).fill("60");
  await shownSum("100% of 100%");
  await part(2).getByLabelText("Proof").fill("A receipt and a photo");
  await fitsPhone();
  answers["projects.updateTerms"] = () => {
    answers["projects.forEdit"] = { ...editedProject, terms: { ...defaultTerms(500), version: 2 } };
    return undefined;
  };
  await save();
  await tells(termsTexts.saved);
  expect(sentTo("projects.updateTerms")).toMatchObject([
    {
      releaseParts: [
        { label: "Chicks and first feed", rate: "40", proof: "", afterDays: 0 },
        { label: "Feed to week 5", rate: "60", proof: "A receipt and a photo", afterDays: 14 },
      ],
    },
  ]);
  await expect.element(page.getByRole("button", { name: "Let it go in parts" })).toBeVisible();
});

test("there are six parts at most", async () => {
  await openScreen("/edit-project/1", filled);
  await press("Let it go in parts");
  for (let number = 2; number <= 6; number++) await press("Add a part");
  await expect.element(part(6)).toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Add a part" })).not.toBeInTheDocument();
});

test("parts of frozen terms can only be read", async () => {
  const releaseParts = [{ label: "Pens and young snails", rate: 10_000, proof: "", afterDays: 0 }];
  await openScreen("/edit-project/1", {
    ...owner,
    "projects.forEdit": {
      ...editedProject,
      lockedBy: "decided",
      terms: { ...defaultTerms(500), releaseParts, version: 1 },
    },
  });
  await expect.element(label(1)).toHaveValue("Pens and young snails");
  await expect.element(label(1)).toHaveAttribute("readonly");
  await expect.element(parts.getByRole("button")).not.toBeInTheDocument();
});
