import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { farmPastTexts as texts } from "#shared/farm-past/texts.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import {
  alerts,
  backer,
  fitsPhone,
  noConnection,
  openScreen,
  owner,
  ownerAccount,
  press,
  refusal,
  says,
  tells,
} from "#tests/support/app-screen.ts";
import { emptyFarm } from "#tests/support/screen-samples.ts";

/** A farm's past before this site: entered by its keeper, and decided on by owners. */

type Past = RouterOutputs["farmPast"]["ofFarm"][number];
const at = new Date("2026-11-20T09:00:00Z");
const past: Past = {
  id: 4,
  farmId: 7,
  fromYear: 2017,
  toYear: 2019,
  farmed: "300 layers",
  outcome: "Two flocks, both sold in Ilorin.",
  unit: "crate",
  planned: 6_000_000n,
  harvested: 5_200_000n,
  paidBy: "The family's savings",
  evidence: "Delivery notes of two shops",
  state: "waiting",
  reason: null,
  createdAt: at,
  decidedAt: null,
  enteredByName: "Ngozi Bello",
  decidedByName: null,
  files: [
    { id: 8, isPhoto: true },
    { id: 9, isPhoto: false },
  ],
  isOwn: false,
  confirmRefusal: null,
};
const account = { id: 7, name: "Epe Ponds", isClosed: false, account: null, waitingAccount: null };
const office = { ...owner, "farms.one": emptyFarm, "farmReleases.account": account };

test("an owner opens the evidence, and confirms or refuses what a farm tells", async () => {
  const { answers, sentTo } = await openScreen("/admin/farms/7", {
    ...office,
    "farmPast.ofFarm": [past],
    "farmPast.confirm": undefined,
    "farmPast.refuse": undefined,
  });
  await says("5,200 crates harvested, 6,000 crates planned");
  await expect
    .element(page.getByRole("link", { name: "Document 2 of 2" }))
    .toHaveAttribute("href", "/files/farm-past/9");
  await fitsPhone();
  answers["farmPast.ofFarm"] = [{ ...past, state: "confirmed", decidedByName: "Chidi Eze", decidedAt: at }];
  await press("The Evidence Is Right");
  await tells(texts.confirmed);
  await press("Take Down…");
  await press("Take Down");
  await says(secondPersonTexts.reasonTooShort);
  await page.getByRole("dialog").getByLabelText("Reason").fill("The notes are of another farm.");
  await press("Take Down");
  await tells(texts.takenDown);
  expect(sentTo("farmPast.confirm")).toEqual([{ pastId: 4 }]);
  expect(sentTo("farmPast.refuse")).toEqual([{ pastId: 4, reason: "The notes are of another farm." }]);
});

test("who can't confirm it reads why, and the only owner gives a reason and the second factor", async () => {
  const { answers, sentTo, reload } = await openScreen("/admin/farms/7", {
    ...office,
    "farmPast.ofFarm": [{ ...past, isOwn: true, confirmRefusal: secondPersonTexts.needsAnother }],
    "farmPast.confirm": undefined,
  });
  await says(secondPersonTexts.needsAnother);
  expect(page.getByRole("button", { name: "The Evidence Is Right" }).elements()).toHaveLength(0);
  answers["farmPast.ofFarm"] = [{ ...past, isOwn: true }];
  answers["users.account"] = { ...ownerAccount, isCodeAsked: true };
  await reload();
  await press("The Evidence Is Right");
  await page.getByLabelText("Current Password").fill("Catfish-Pond-42");
  await page.getByLabelText("Code from the app").fill("123456");
  await press("Confirm");
  await says(secondPersonTexts.reasonTooShort);
  await page.getByRole("dialog").getByLabelText("Reason").fill("I have seen the notes myself.");
  await press("Confirm");
  await tells(texts.confirmed);
  expect(sentTo("farmPast.confirm")).toEqual([
    { pastId: 4, reason: "I have seen the notes myself.", currentPassword: "Catfish-Pond-42", code: "123456" },
  ]);
});

test("a keeper withdraws what waits, and is told where it was decided meanwhile", async () => {
  const ada = backer["auth.viewer"];
  const { answers, sentTo } = await openScreen("/farm", {
    ...backer,
    "auth.viewer": { ...(ada as NonNullable<RouterOutputs["auth"]["viewer"]>), hasFarm: true } as typeof ada,
    "farms.mine": [{ id: 7, name: "Epe Ponds", state: "Lagos", place: "Epe", role: "keeper", projects: [] }],
    "farms.money": [],
    "farmPast.kept": [past],
    "farmPast.withdrawAsKeeper": refusal("conflict", 409, texts.decidedAlready),
  });
  await press("Withdraw…");
  await press("Withdraw");
  await alerts(texts.withdrawFailed);
  answers["farmPast.withdrawAsKeeper"] = undefined;
  await press("Withdraw…");
  answers["farmPast.kept"] = [];
  await press("Withdraw");
  await tells(texts.withdrawn);
  await says(texts.none);
  expect(sentTo("farmPast.withdrawAsKeeper")).toEqual([{ pastId: 4 }]);
});

test("a keeper tells of earlier years with evidence; faults and a refusal keep what was typed", async () => {
  const ada = backer["auth.viewer"];
  const { answers, sentTo, uploads } = await openScreen("/farm", {
    ...backer,
    "auth.viewer": { ...(ada as NonNullable<RouterOutputs["auth"]["viewer"]>), hasFarm: true } as typeof ada,
    "farms.mine": [{ id: 7, name: "Epe Ponds", state: "Lagos", place: "Epe", role: "keeper", projects: [] }],
    "farms.money": [],
    "farmPast.kept": noConnection,
    "farmPast.enterAsKeeper": refusal("conflict", 409, texts.tooMany),
  });
  await says(texts.loadFailed);
  answers["farmPast.kept"] = [];
  await page
    .getByRole("alert")
    .filter({ hasText: texts.loadFailed })
    .getByRole("button", { name: "Try again" })
    .click();
  await says(texts.none);
  await press("Tell of Earlier Years");
  await press("Enter");
  await says(texts.farmed);
  await says(texts.filesMissing);
  await expect.element(page.getByLabelText("First year")).toHaveFocus();
  const typed = { "First year": "2017", "Last year": "2019", "What was farmed": "300 layers", Harvested: "5,200" };
  await page.getByLabelText("Figures in").selectOptions("crates");
  for (const [label, text] of Object.entries(typed)) await page.getByLabelText(label).fill(text);
  await page.getByLabelText("What came of it").fill("Two flocks, both sold in Ilorin.");
  await page.getByLabelText("Who paid for it").fill("Our savings");
  await page.getByLabelText("What the evidence is").fill("Delivery notes");
  await page
    .getByLabelText("Photos or documents")
    .upload(new File(["%PDF-1.7"], "notes.pdf", { type: "application/pdf" }));
  await expect.poll(() => uploads[0]?.path).toBe("/uploads/harvest-evidence");
  uploads[0]?.answer(200, { fileId: "00000000-0000-4000-8000-00000000000a" });
  await fitsPhone();
  await press("Enter");
  await says(texts.tooMany);
  answers["farmPast.enterAsKeeper"] = undefined;
  await press("Enter");
  await tells(texts.entered);
  expect(sentTo("farmPast.enterAsKeeper")).toMatchObject([
    { farmId: 7, fromYear: 2017, harvested: "5,200", planned: "", fileIds: ["00000000-0000-4000-8000-00000000000a"] },
  ]);
});
