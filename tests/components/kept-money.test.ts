import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";
import {
  type Answers,
  backer,
  chooseFiles,
  fitsPhone,
  hasHeading,
  noConnection,
  openScreen,
  press,
  refusal,
  says,
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";
import { backedProject, keptMoney, moneyInParts, project } from "#tests/support/screen-samples.ts";

/** Where a round's money is, as its farm's keeper, its backers and visitors read it. */

const path = "/farm/3/money";
const open = (answers: Answers) => openScreen(path, { ...backer, ...answers });
const second = page.getByRole("listitem", { name: "Part 2: Feed to week 5" });
const fileId = "00000000-0000-4000-8000-0000000000f1";
const receipt = () => new File(["x"], "receipt.pdf", { type: "application/pdf" });

test("the part that is next is asked for with its proof, and a refusal of it keeps what was chosen", async () => {
  const { answers, uploads, sentTo } = await open({
    "farmReleaseParts.ofProject": keptMoney,
    "farmReleaseParts.ask": noConnection,
  });
  await hasHeading("Money of Ponds at Epe");
  await says("₦4,500,000");
  await says(texts.afterEarlier);
  await press("Ask for this part");
  await press("Ask for this part");
  await says(texts.proofNeeded("A receipt"));
  await chooseFiles(page.getByLabelText(/^Proof: A receipt/), receipt());
  await expect.poll(() => uploads.length).toBe(1);
  expect(uploads[0]?.path).toBe("/uploads/release-proofs");
  uploads[0]?.answer(200, { fileId });
  await page.getByLabelText("What it is for (optional)").fill("Forty bags of feed.");
  await fitsPhone();
  await press("Ask for this part");
  await expect.element(second.getByRole("alert").getByText(/connect/i)).toBeVisible();
  await expect.element(page.getByLabelText("What it is for (optional)")).toHaveValue("Forty bags of feed.");

  answers["farmReleaseParts.ask"] = undefined;
  await press("Ask for this part");
  await tells(texts.asked);
  expect(sentTo("farmReleaseParts.ask")).toEqual([
    expect.objectContaining({ projectId: 3, round: 1, part: 2, note: "Forty bags of feed.", fileIds: [fileId] }),
  ]);
});

test("a part that was refused says why, and can be asked for again", async () => {
  const [round] = keptMoney.rounds;
  const [ask] = round?.asks ?? [];
  if (!round || !ask) throw new Error("The sample has a round with an ask");
  const why = "The receipt names another farm, so please send yours.";
  const refused = { ...ask, id: 9, part: 2, verdict: "refused" as const, refusal: why };
  await open({
    "farmReleaseParts.ofProject": {
      ...keptMoney,
      rounds: [
        {
          ...round,
          isStopped: true,
          parts: round.parts.map((part) => (part.part === 2 ? { ...part, state: "refused" } : part)),
          asks: [refused],
        },
      ],
    },
  });
  await says(texts.refusedBecause(why));
  await says(texts.isStoppedForFarm);
  await expect.element(second.getByRole("button", { name: "Ask again" })).toBeVisible();
  await fitsPhone();
});

test("a farm without a funded round has no money yet; what can't be loaded comes with another try", async () => {
  const { answers } = await open({
    "farmReleaseParts.ofProject": refusal("forbidden", 403, "Only this farm's keepers see its money."),
  });
  await hasHeading(texts.loadFailed);
  answers["farmReleaseParts.ofProject"] = { ...keptMoney, rounds: [] };
  await press("Try again");
  await hasHeading(texts.none);
});

const backed: Answers = {
  ...backer,
  "backings.project": { ...backedProject, outcome: "funded" },
  "updates.list": { items: [], total: 0 },
  "payments.listMyPurchases": [],
  "harvests.mine": [],
};
const whereMoneyIs = page.getByRole("region", { name: "Where the money is" });

test("a backer reads where the money is, opens its papers, and reads why a stopped part was let go", async () => {
  const reason = "The keeper was in hospital, and the birds need feed.";
  await openScreen("/backed-project/1", {
    ...backed,
    "releaseParts.whereMoneyIs": {
      ...moneyInParts,
      mayOpenPapers: true,
      isStopped: true,
      parts: moneyInParts.parts.map((part) => (part.part === 1 ? { ...part, publicReason: reason } : part)),
    },
  });
  for (const sum of ["At the farm", "Waiting for proof", "With us"])
    await expect.element(whereMoneyIs.getByText(sum, { exact: true })).toBeVisible();
  await expect
    .element(whereMoneyIs.getByRole("link", { name: /^Document/ }))
    .toHaveAttribute("href", "/files/release-proofs/4");
  await says(texts.releasedDespite(reason));
  await says(texts.isStoppedPublic);
  await fitsPhone();
});

test("a visitor reads who may open the papers, and a failure comes with another try", async () => {
  const { answers } = await openScreen("/project/1", {
    "projects.byId": { ...project, outcome: "funded" },
    "updates.list": { items: [], total: 0 },
    "releaseParts.whereMoneyIs": serverFault,
  });
  await hasHeading(texts.loadFailed);
  answers["releaseParts.whereMoneyIs"] = moneyInParts;
  await page.getByRole("button", { name: "Try again" }).first().click();
  await expect.element(whereMoneyIs.getByText(texts.documentsForBackers)).toBeVisible();
  await expect.element(whereMoneyIs.getByRole("link", { name: /^Document/ })).not.toBeInTheDocument();
});
