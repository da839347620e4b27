import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { farmPeopleTexts } from "#shared/farms/people-texts.ts";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";
import {
  type Answers,
  backer,
  chooseFiles,
  dialog,
  fitsPhone,
  hasHeading,
  noConnection,
  onPhone,
  openScreen,
  press,
  refusal,
  says,
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";

/** A keeper's screens: drafts and costs of their farm's harvests, and handing produce over on a phone. */

const at = new Date("2026-03-09T09:00:00Z");
const fileId = "00000000-0000-4000-8000-0000000000f1";
type List = RouterOutputs["farmHarvests"]["ofProject"];
type Harvest = RouterOutputs["farmHarvests"]["one"];
const round: List["rounds"][number] = {
  round: 1,
  unit: "kg",
  nextPlanned: 1_000_000n,
  plannedPriceKobo: 275_000n,
  deductibleCosts: ["Feed", "Transport"],
  collectionPlace: "Moniya market, Ibadan",
};
const none: List = { title: "Ponds at Epe", rounds: [round], harvests: [] };
const draft: Harvest = {
  id: 5,
  projectId: 3,
  round: 1,
  number: 2,
  isInsurance: false,
  state: "draft",
  quantity: 950_000n,
  planned: 1_000_000n,
  lostQuantity: 0n,
  referencePriceKobo: 275_000n,
  note: "",
  createdAt: at,
  updatedAt: at,
  choosesUntil: null,
  allottedAt: null,
  collectsUntil: null,
  costsLostAt: null,
  parts: { takers: 0, collected: 0 },
  costs: [],
  files: [],
  now: at,
};
const allotted: Harvest = {
  ...draft,
  state: "allotted",
  allottedAt: at,
  collectsUntil: new Date("2026-03-15T22:59:59Z"),
  parts: { takers: 2, collected: 1 },
};
const shows = (harvest: Harvest): Answers => {
  const { id, round: ofRound, number, isInsurance, state, quantity } = harvest;
  const head = { id, round: ofRound, number, isInsurance, state, quantity };
  return { "farmHarvests.ofProject": { ...none, harvests: [head] }, "farmHarvests.one": harvest };
};
const path = "/farm/3/harvests";
const open = (answers: Answers) => openScreen(path, { ...backer, ...answers });
const inDialog = (name: string) => dialog.getByRole("button", { name, exact: true }).click();
const photo = () => new File(["x"], "receipt.png", { type: "image/png" });

test("a harvest is drafted, and a refusal leaves what was typed", async () => {
  const { answers, sentTo } = await open({ "farmHarvests.ofProject": none });
  await hasHeading("No harvest yet");
  await press("New harvest");
  await says("It is a draft at first: backers see it once whoever runs this site opens it for choosing.");
  await dialog.getByLabelText("Quantity, in kg").fill("600");
  await inDialog("Enter harvest");
  await says(harvestTexts.shortNote);
  await dialog.getByLabelText(/^Note/).fill("The lower pond was flooded for nine days.");
  answers["farmHarvests.draft"] = noConnection;
  await inDialog("Enter harvest");
  await expect.element(dialog.getByRole("alert").getByText(/connect/i)).toBeVisible();
  await expect.element(dialog.getByLabelText("Quantity, in kg")).toHaveValue("600");
  await expect.element(dialog.getByLabelText(/^Note/)).toHaveValue("The lower pond was flooded for nine days.");
  answers["farmHarvests.draft"] = () => {
    Object.assign(answers, shows({ ...draft, quantity: 600_000n, note: "The lower pond was flooded." }));
    return { harvestId: 5 };
  };
  await inDialog("Enter harvest");
  await tells(texts.created);
  expect(sentTo("farmHarvests.draft")).toMatchObject([
    { projectId: 3, round: 1, quantity: "600", referencePrice: "2,750" },
  ]);
  await says(harvestTexts.shortPhoto);
  await fitsPhone();
});

test("a draft is changed; once it is opened it can't be, and no administrators' act is offered", async () => {
  const { answers, sentTo, reload } = await open(shows(draft));
  await press("Edit…");
  await dialog.getByLabelText("Quantity, in kg").fill("980");
  answers["farmHarvests.change"] = undefined;
  await inDialog("Save");
  await tells(texts.updated);
  expect(sentTo("farmHarvests.change")).toMatchObject([{ harvestId: 5, quantity: "980", seenAt: at }]);
  Object.assign(answers, shows({ ...draft, state: "choosing", choosesUntil: new Date("2026-03-22T22:59:59Z") }));
  await reload();
  await expect.element(page.getByText(/Backers choose until/)).toBeVisible();
  for (const name of [/Edit/, /Open for choosing/, /Lower/, /Withdraw/, /Add a photo/])
    expect(page.getByRole("button", { name }).elements()).toHaveLength(0);
});

test("a cost is sent with its evidence, and stands as waiting for two owners", async () => {
  const { answers, uploads, sentTo } = await open(shows(draft));
  await press("Add a cost…");
  await says(
    "What the farm paid itself. It gets that back from the sales, once two owners of this site have confirmed it.",
  );
  expect(dialog.getByLabelText("Who paid it").elements()).toHaveLength(0);
  await inDialog("Add cost");
  await says(harvestTexts.evidenceFirst);
  await dialog.getByLabelText("Amount").fill("185,000");
  await chooseFiles(dialog.getByLabelText(/^Evidence/), photo());
  answers["farmHarvests.addCost"] = serverFault;
  await inDialog("Add cost");
  await expect.poll(() => uploads[0]?.path).toBe("/uploads/harvest-evidence");
  uploads[0]?.answer(200, { fileId });
  await expect.element(dialog.getByRole("alert")).toBeVisible();
  await expect.element(dialog.getByLabelText("Amount")).toHaveValue("185,000");
  answers["farmHarvests.addCost"] = () => {
    const cost = { id: 4, harvestId: 5, label: "Feed", amountKobo: 18_500_000n, paidBy: "farm" as const };
    Object.assign(
      answers,
      shows({ ...draft, costs: [{ ...cost, createdAt: at, takenKobo: 0n, isCounted: false, isOwn: true }] }),
    );
  };
  await inDialog("Add cost");
  await tells(texts.costAdded);
  expect(uploads).toHaveLength(1);
  expect(sentTo("farmHarvests.addCost")).toEqual([{ harvestId: 5, label: "Feed", amount: "185,000", fileId }]);
  await says("To be confirmed");
  await fitsPhone();
});

test("a keeper takes back a cost that they entered, and is offered no other nor one that is counted", async () => {
  const cost = { id: 4, harvestId: 5, label: "Feed", amountKobo: 18_500_000n, paidBy: "farm" as const, createdAt: at };
  const own = { ...cost, takenKobo: 0n, isCounted: false, isOwn: true };
  const others = [
    { ...own, id: 6, label: "Transport", isOwn: false },
    { ...own, id: 7, label: "Fuel", isCounted: true },
  ];
  const { answers, sentTo } = await open(shows({ ...draft, costs: [own, ...others] }));
  await expect.element(page.getByRole("button", { name: "Remove Feed, ₦185,000" })).toBeVisible();
  expect(page.getByRole("button", { name: /^Remove/ }).elements()).toHaveLength(1);
  await press("Remove Feed, ₦185,000");
  answers["farmHarvests.removeCost"] = refusal("conflict", 409, harvestTexts.costCounted);
  await inDialog("Remove");
  await says(harvestTexts.costCounted);
  await press("Remove Feed, ₦185,000");
  answers["farmHarvests.removeCost"] = () => {
    Object.assign(answers, shows({ ...draft, costs: others }));
  };
  await inDialog("Remove");
  await tells(texts.costRemoved);
  expect(sentTo("farmHarvests.removeCost")).toEqual([{ costId: 4 }]);
  await expect.poll(() => page.getByRole("button", { name: /^Remove/ }).elements()).toHaveLength(0);
});

test("what can't be loaded says why and is tried again, and a project without a funded round has no harvest", async () => {
  const { answers, reload } = await open({
    "farmHarvests.ofProject": refusal("forbidden", 403, farmPeopleTexts.otherFarm),
  });
  await hasHeading(texts.loadFailed);
  await says(farmPeopleTexts.otherFarm);
  answers["farmHarvests.ofProject"] = shows(draft)["farmHarvests.ofProject"] as List;
  answers["farmHarvests.one"] = serverFault;
  await press("Try again");
  await hasHeading(texts.oneLoadFailed);
  answers["farmHarvests.one"] = draft;
  await press("Try again");
  await expect.element(page.getByRole("button", { name: "Edit…" })).toBeVisible();
  answers["farmHarvests.ofProject"] = { ...none, rounds: [] };
  await reload();
  await hasHeading("No round of this project is funded yet");
});

const collection: RouterOutputs["farmHarvests"]["collection"] = {
  projectId: 3,
  projectTitle: "Ponds at Epe",
  round: 1,
  number: 2,
  isInsurance: false,
  state: "allotted",
  collectsUntil: new Date("2026-03-15T22:59:59Z"),
  unit: "kg",
  collectionPlace: "Moniya market, Ibadan",
  takers: 2,
  collected: 1,
  now: at,
};
const field = () => page.getByLabelText("Code of six digits");

test("on a phone, produce is handed over by code to a first name and an initial, and then comes the next person", async () => {
  await onPhone(async () => {
    const { answers, sentTo, path: shown } = await open({ ...shows(allotted), "farmHarvests.collection": collection });
    await says("1 of 2 has collected.");
    await page.getByRole("link", { name: "Hand produce over" }).click();
    await expect.poll(shown).toBe("/farm/3/collect/5");
    await hasHeading("Hand produce over");
    const fields = { fields: { code: [harvestTexts.codeUnknown] } };
    answers["farmHarvests.findProduce"] = refusal("invalid", 400, harvestTexts.codeUnknown, fields);
    await field().fill("123 456");
    await userEvent.keyboard("{Enter}");
    await says(harvestTexts.codeUnknown);
    await expect.element(field()).toHaveValue("123 456");
    answers["farmHarvests.findProduce"] = { name: "Oluwafunmilayo A.", taken: 12_345_678n };
    await field().fill("482 913");
    await press("Check the code");
    await says("Oluwafunmilayo A.");
    await says("12,345.678 kg");
    expect(page.getByText("Their share").elements()).toHaveLength(0);
    await fitsPhone();
    answers["farmHarvests.collect"] = noConnection;
    await press("Handed over");
    await expect.element(page.getByRole("alert").getByText(/connect/i)).toBeVisible();
    answers["farmHarvests.collect"] = () => {
      answers["farmHarvests.collection"] = { ...collection, collected: 2 };
      return { name: "Oluwafunmilayo A.", quantity: 12_345_678n };
    };
    await press("Handed over");
    await tells("12,345.678 kg for Oluwafunmilayo A.: handed over");
    expect(sentTo("farmHarvests.collect")).toEqual([{ harvestId: 5, code: "482913" }]);
    await fitsPhone();
    await says("Everything was collected.");
    await press("Next person");
    await expect.element(field()).toHaveFocus();
    await page.getByRole("link", { name: "Back to the harvests" }).click();
    await expect.poll(shown).toBe(path);
  });
});

test("who doesn't keep the farm any more reads so where produce is handed over", async () => {
  await openScreen("/farm/3/collect/5", {
    ...backer,
    "farmHarvests.collection": refusal("forbidden", 403, farmPeopleTexts.otherFarm),
  });
  await hasHeading(texts.oneLoadFailed);
  await says(farmPeopleTexts.otherFarm);
  expect(field().elements()).toHaveLength(0);
});
