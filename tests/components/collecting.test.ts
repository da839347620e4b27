import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";
import {
  type Answers,
  alerts,
  fitsPhone,
  hasHeading,
  noConnection,
  onPhone,
  openScreen,
  owner,
  press,
  refusal,
  says,
  tells,
} from "#tests/support/app-screen.ts";

/** The screen that hands produce over: a code, whose it is, and the next person. */

const collection: RouterOutputs["harvests"]["collection"] = {
  projectId: 1,
  projectTitle: "Ponds at Epe",
  round: 1,
  number: 2,
  isInsurance: false,
  state: "allotted",
  collectsUntil: new Date("2026-03-15T22:59:59Z"),
  unit: "kg",
  collectionPlace: "Moniya market, Ibadan",
  takers: 2,
  collected: 0,
  now: new Date("2026-03-09T09:00:00Z"),
};
const produce = { name: "Bola Adeyinka", quantity: 577_743n, taken: 200_000n, given: 77_743n, sold: 300_000n };
const path = "/admin/collect/5";
const field = () => page.getByLabelText("Code of six digits");
const open = (answers: Answers = {}) => openScreen(path, { ...owner, "harvests.collection": collection, ...answers });
const lookUp = async (typed: string) => {
  await field().fill(typed);
  await userEvent.keyboard("{Enter}");
};

test("a code shows whose it is and how much, and produce is handed over only when that is said", async () => {
  const asked: [string, unknown][] = [];
  const { answers } = await open({
    "harvests.findProduce": (input) => {
      asked.push(["find", input]);
      return produce;
    },
    "harvests.collect": (input) => {
      asked.push(["collect", input]);
      answers["harvests.collection"] = { ...collection, collected: 1 };
      return { name: "Bola Adeyinka", quantity: 200_000n };
    },
  });
  await hasHeading("Hand produce over");
  await says("Harvest 2 of Ponds at Epe, until Sunday 15 Mar 2026, 23:59 WAT at Moniya market, Ibadan.");
  await says("0 of 2 have collected.");
  await says("Step 1 of 2");
  await expect.element(field()).toHaveFocus();
  await expect.element(field()).toHaveAttribute("inputmode", "numeric");
  // As it stands in the mail, pasted.
  await lookUp("482 913");
  await says("Step 2 of 2");
  await expect.element(page.getByRole("heading", { name: "Is this the person?" })).toHaveFocus();
  await says("Bola Adeyinka");
  await says("200 kg");
  await says("Ponds at Epe, Harvest 2");
  await says("577.743 kg: 200 kg to take, 77.743 kg donated, 300 kg sold");
  await says("482 913");
  expect(asked).toEqual([["find", { harvestId: 5, code: "482913" }]]);
  await press("Handed over");
  await tells("200 kg for Bola Adeyinka: handed over");
  expect(asked.slice(1)).toEqual([["collect", { harvestId: 5, code: "482913" }]]);
  await says("1 of 2 has collected.");
  await expect.element(page.getByRole("button", { name: "Next person" })).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await says("Step 1 of 2");
  await expect.element(field()).toHaveFocus();
  await expect.element(field()).toHaveValue("");
});

test("a wrong code says so in its field, and what locks the list stands as the server says it", async () => {
  const { answers, calls } = await open();
  await says(texts.codeLimits);
  await lookUp("12 34");
  await says(harvestTexts.codeShape);
  expect(calls).not.toContain("harvests.findProduce");
  const fields = { fields: { code: [harvestTexts.codeUnknown] } };
  answers["harvests.findProduce"] = refusal("invalid", 400, harvestTexts.codeUnknown, fields);
  await lookUp("123 456");
  await says(harvestTexts.codeUnknown);
  await expect.element(field()).toHaveFocus();
  for (const lock of [harvestTexts.codesLocked, harvestTexts.codesLockedToday]) {
    answers["harvests.findProduce"] = refusal("rate_limited", 429, lock);
    await lookUp("123 456");
    await alerts(lock);
  }
  answers["harvests.findProduce"] = refusal("conflict", 409, harvestTexts.collectedAlready);
  await lookUp("482913");
  await alerts(harvestTexts.collectedAlready);
  answers["harvests.findProduce"] = noConnection;
  await lookUp("482913");
  await expect.element(page.getByRole("alert").getByText(/connect/i)).toBeVisible();
  await says("Step 1 of 2");
});

test("what was handed over meanwhile is offered no more, and a lost connection is tried again", async () => {
  const { answers } = await open({ "harvests.findProduce": produce, "harvests.collect": noConnection });
  await lookUp("482913");
  await press("Handed over");
  await expect.element(page.getByRole("alert").getByText(/connect/i)).toBeVisible();
  answers["harvests.collect"] = refusal("conflict", 409, harvestTexts.collectedAlready);
  await press("Handed over");
  await alerts(harvestTexts.collectedAlready);
  await expect.element(page.getByRole("button", { name: "Handed over" })).not.toBeInTheDocument();
  await press("Another code");
  await expect.element(field()).toHaveFocus();
});

test.each([
  [{ state: "choosing", collectsUntil: null }, harvestTexts.notAllotted],
  [{ collectsUntil: null }, "Nobody takes produce."],
  [{ state: "lost" }, harvestTexts.lost],
  [{ now: new Date("2026-03-16T09:00:00Z"), collected: 1 }, "The time for collecting is over."],
  [{ state: "done", collected: 2 }, "Everything was collected."],
] as const)("no code is asked for where nothing is handed out: %o", async (more, text) => {
  await open({ "harvests.collection": { ...collection, ...more } });
  await hasHeading(text);
  await expect.element(field()).not.toBeInTheDocument();
});

test("all of it fits the smallest phone, figures large", async () => {
  await onPhone(async () => {
    await open({
      "harvests.findProduce": { ...produce, name: "Oluwafunmilayo Adeyinka-Chukwuemeka", taken: 12_345_678n },
      "harvests.collect": { name: "Bola Adeyinka", quantity: 200_000n },
    });
    await expect.element(field()).toBeVisible();
    await field().fill("482 913");
    const input = field().element();
    expect(Number.parseFloat(getComputedStyle(input).fontSize)).toBeGreaterThanOrEqual(32);
    expect(input.scrollWidth).toBeLessThanOrEqual(input.clientWidth);
    await fitsPhone();
    await press("Check the code");
    await says("12,345.678 kg");
    await fitsPhone();
    await press("Handed over");
    await expect.element(page.getByRole("button", { name: "Next person" })).toBeVisible();
    await fitsPhone();
  });
});
