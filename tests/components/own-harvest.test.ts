import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { paperTexts } from "#shared/papers/texts.ts";
import { ownStrikeTexts } from "#shared/payments/own-strikes-texts.ts";
import {
  type Answers,
  alerts,
  backer,
  fitsPhone,
  hasHeading,
  openScreen,
  press,
  refusal,
  says,
} from "#tests/support/app-screen.ts";
import { backedProject } from "#tests/support/screen-samples.ts";

/** A farm's harvests as a backer sees them. */

type OwnHarvest = RouterOutputs["harvests"]["mine"][number];
type OwnPart = NonNullable<OwnHarvest["mine"]>;

const mine: OwnPart = {
  quantity: 577_743n,
  taken: 0n,
  given: 0n,
  sold: 577_743n,
  weightKobo: 120_000_000n,
  struckKobo: 0n,
  chosenAt: null,
  code: null,
  collectedAt: null,
  uncollectedAt: null,
};
const choosing: OwnHarvest = {
  id: 5,
  round: 1,
  number: 1,
  isInsurance: false,
  state: "choosing",
  unit: "kg",
  quantity: 2_514_250n,
  lostQuantity: 40_000n,
  planned: 2_500_000n,
  referencePriceKobo: 275_000n,
  note: "",
  options: ["produce", "sale", "give_away"],
  collectionPlace: "Gate 2, Epe",
  deductibleCosts: [],
  costShare: null,
  feeRate: 500,
  vatRate: 0,
  whtRate: 0,
  insurance: null,
  openedAt: new Date("2026-11-22T09:00:00Z"),
  choosesUntil: new Date("2026-12-06T22:59:59Z"),
  collectsUntil: null,
  restLostReason: null,
  now: new Date("2026-12-03T10:00:00Z"),
  mine,
  files: [],
  settlements: [],
};
const chosen: OwnPart = {
  ...mine,
  taken: 200_000n,
  sold: 377_743n,
  chosenAt: new Date("2026-12-03T10:00:00Z"),
};
const ready: OwnHarvest = {
  ...choosing,
  state: "allotted",
  collectsUntil: new Date("2026-12-14T22:59:59Z"),
  now: new Date("2026-12-08T10:00:00Z"),
  mine: { ...chosen, code: "048213" },
};
const settlement: OwnHarvest["settlements"][number] = {
  id: 9,
  harvestId: 5,
  number: 1,
  pool: "sold",
  createdAt: new Date("2026-12-20T10:00:00Z"),
  proceedsKobo: 565_178_194n,
  costsKobo: 18_500_000n,
  farmCostsKobo: 0n,
  farmKobo: 66_287_424n,
  netKobo: 454_569_769n,
  feeKobo: 24_019_537n,
  vatKobo: 1_801_464n,
  whtKobo: 0n,
  feeRate: 500,
  vatRate: 750,
  whtRate: 0,
  reversedAt: null,
  reversedReason: null,
  whole: 2_073_524n,
  mine: {
    weight: 377_743n,
    shareKobo: 99_590_775n,
    feeKobo: 4_979_538n,
    vatKobo: 373_465n,
    whtKobo: 0n,
    netKobo: 94_237_772n,
    struckKobo: 0n,
  },
};

const path = `/backed-project/${backedProject.id}?tab=harvest`;
const screen = (harvests: Answers["harvests.mine"], more: Answers = {}) =>
  openScreen(path, {
    ...backer,
    "backings.project": backedProject,
    "payments.listMyPurchases": [],
    "harvests.mine": harvests,
    ...more,
  });
const harvest = page.getByRole("region", { name: "Your harvests" }).getByRole("article");
const card = page.getByRole("region", { name: "Harvest", exact: true });
const take = page.getByRole("textbox", { name: "Take the produce, in kg" });
const takeSlider = page.getByRole("slider", { name: "Take the produce, by slider" });
const give = page.getByRole("textbox", { name: "Donate it, in kg" });
const giveSlider = page.getByRole("slider", { name: "Donate it, by slider" });
const tell = (text: string | RegExp) => expect.element(harvest.getByText(text).first()).toBeVisible();
const isSilentOf = (text: string | RegExp) => expect.element(page.getByText(text)).not.toBeInTheDocument();

/** The first stands above the second in a harvest. */
const isAbove = (first: string, second: string) => {
  const [upper, lower] = [first, second].map((text) => harvest.getByText(text, { exact: true }).element());
  expect(upper?.getBoundingClientRect().bottom).toBeLessThanOrEqual(lower?.getBoundingClientRect().top ?? 0);
};

test("there is no tab and no card before the first harvest", async () => {
  await openScreen(`/backed-project/${backedProject.id}`, {
    ...backer,
    "backings.project": backedProject,
    "payments.listMyPurchases": [],
    "updates.list": { items: [], total: 0 },
    "harvests.mine": [],
  });
  await hasHeading("No updates yet");
  await expect.element(page.getByRole("tab", { name: "Messages" })).toBeVisible();
  await expect.element(page.getByRole("tab", { name: "Harvest" })).not.toBeInTheDocument();
  await expect.element(card).not.toBeInTheDocument();
});

test("an address that names the tab before the first harvest says what will stand there", async () => {
  await screen([]);
  await hasHeading("No harvest yet");
});

test("the card leads from the updates to the choice", async () => {
  await openScreen(`/backed-project/${backedProject.id}`, {
    ...backer,
    "backings.project": backedProject,
    "payments.listMyPurchases": [],
    "updates.list": { items: [], total: 0 },
    "harvests.mine": [{ ...choosing, id: 4, state: "done", number: 2 }, choosing],
  });
  await expect
    .element(card.getByText(/Your share is 577\.743 kg\. Choose until Sunday 6 Dec 2026, 23:59 WAT; 3 days left/))
    .toBeVisible();
  await press("Choose now");
  await expect.element(page.getByRole("tab", { name: "Harvest" })).toHaveAttribute("aria-selected", "true");
  await expect.element(take).toBeVisible();
});

test.each<[string, Partial<OwnHarvest>, RegExp]>([
  [
    "a choice that is over",
    { state: "choosing", now: new Date("2026-12-06T23:00:00Z") },
    /Choosing is over\. You take 200 kg and 377\.743 kg are sold for you\. We tell you what comes next\.$/,
  ],
  [
    "a part that is all sold",
    { mine },
    /Your share is 577\.743 kg\. It is sold for you\. We email you when the money has come\.$/,
  ],
  [
    "a part that is sold beside what was collected",
    { mine: { ...chosen, code: "048213", collectedAt: ready.now } },
    /377\.743 kg of it are sold for you\. We email you when the money has come\.$/,
  ],
  [
    "a part that nobody collected in time",
    { mine: { ...chosen, code: "048213" }, now: new Date("2026-12-15T00:00:00Z") },
    /Your share is 577\.743 kg\. It is sold for you\./,
  ],
  [
    "a part that was all collected",
    { mine: { ...chosen, taken: 577_743n, sold: 0n, code: "048213", collectedAt: ready.now } },
    /Your share is 577\.743 kg\. You collected 577\.743 kg\.$/,
  ],
  [
    "a part that was all given away",
    { mine: { ...chosen, taken: 0n, given: 577_743n, sold: 0n } },
    /Your share is 577\.743 kg\. You give away 577\.743 kg\.$/,
  ],
])("the card says what comes next of %s", async (_, more, text) => {
  await screen([{ ...ready, mine: chosen, ...more }]);
  await expect.element(card.getByText(text)).toBeVisible();
});

test("harvests that can't be had are told of, and asked for again on demand", async () => {
  const { answers } = await screen(refusal("internal", 500));
  await hasHeading("Your harvests could not be loaded.");
  answers["harvests.mine"] = [choosing];
  await press("Try again");
  await hasHeading("Harvest 1");
});

test("a part is chosen by number and by slider, with what its sale would bring", async () => {
  const sent: unknown[] = [];
  const { answers } = await screen([choosing], {
    "harvests.choose": (input) => {
      sent.push(input);
      answers["harvests.mine"] = [{ ...choosing, mine: chosen }];
    },
  });
  await tell("2,514.25 kg");
  await tell(/100\.5% of the plan/);
  await tell("40 kg more were lost before they could be shared.");
  isAbove("Your share", "Planned");
  await tell("Choose until Sunday 6 Dec 2026, 23:59 WAT; 3 days left");
  await tell(/^You would get about ₦1,509,353 at ₦2,750 a kilo; the price may differ\./);
  await take.fill("200");
  await expect.element(takeSlider).toHaveAttribute("aria-valuetext", "200 kg");
  await tell("377.743 kg");
  await tell(/^You would get about ₦986,853 at ₦2,750 a kilo/);
  await tell("Not saved yet.");
  await fitsPhone();
  await press("Save my choice");
  await says(texts.choiceSaved);
  await tell(
    "You take 200 kg and 377.743 kg are sold for you. You can change it until Sunday 6 Dec 2026, 23:59 WAT; 3 days left.",
  );
  await isSilentOf("Not saved yet.");
  expect(sent).toEqual([{ harvestId: 5, taken: "200", given: "0" }]);
});

test("the sliders move by keyboard, take the last gram, and never more than there is", async () => {
  await screen([choosing]);
  await expect.element(takeSlider).toBeVisible();
  (takeSlider.element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowRight}{ArrowRight}");
  await expect.element(take).toHaveValue("10");
  await userEvent.keyboard("{End}");
  await expect.element(take).toHaveValue("577.743");
  await tell("Nothing is sold, so no money comes of this harvest.");
  await take.fill("500");
  (giveSlider.element() as HTMLElement).focus();
  await userEvent.keyboard("{End}");
  await expect.element(give).toHaveValue("77.743");
  await give.fill("77.744");
  await tell("Too much");
  await press("Save my choice");
  await tell(texts.tooMuch("577.743 kg"));
  await expect.element(take).toHaveAccessibleDescription(texts.tooMuch("577.743 kg"));
  await give.fill("some");
  await press("Save my choice");
  await expect.element(give).toHaveAccessibleDescription(texts.choiceMissing);
});

test("only what the terms offer is asked for", async () => {
  const { answers, reload } = await screen([{ ...choosing, options: ["produce"] }]);
  await expect.element(take).toBeVisible();
  await expect.element(give).not.toBeInTheDocument();
  await tell("The rest is sold");
  answers["harvests.mine"] = [{ ...choosing, options: ["sale"] }];
  await reload();
  await tell("The terms of this round offer only the sale.");
  await expect.element(take).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Save my choice" })).not.toBeInTheDocument();
});

test("a refusal keeps what was typed, and is shown at its field", async () => {
  const message = texts.tooMuch("90 kg");
  const { answers } = await screen([choosing], {
    "harvests.choose": refusal("invalid", 400, message, { fields: { taken: [message] } }),
  });
  await take.fill("100.5");
  await press("Save my choice");
  await alerts(texts.choiceFailed);
  await expect.element(take).toHaveAccessibleDescription(message);
  await expect.element(take).toHaveValue("100.5");
  answers["harvests.choose"] = refusal("internal", 500);
  await press("Save my choice");
  await alerts(texts.choiceFailed);
  await expect.element(take).toHaveValue("100.5");
  await tell("Not saved yet.");
});

test("whoever chooses too late reads that it is over", async () => {
  const late = new Date("2026-12-06T23:00:00Z");
  const { answers } = await screen([{ ...choosing, mine: chosen }], {
    "harvests.choose": () => {
      answers["harvests.mine"] = [{ ...choosing, mine: chosen, now: late }];
      return refusal("conflict", 409, texts.notChoosing);
    },
  });
  await take.fill("300");
  await press("Save my choice");
  await alerts(texts.notChoosing);
  await tell("Choosing ended on 6 Dec 2026, 23:59 WAT");
  await tell(/^You take 200 kg and 377\.743 kg are sold for you\./);
  await expect.element(take).not.toBeInTheDocument();
});

test("a choice that isn't saved isn't left behind without a word", async () => {
  await screen([choosing], { "messages.list": { items: [], total: 0, sendsAs: "Backer" } });
  await take.fill("1");
  await page.getByRole("tab", { name: "Messages" }).click();
  await hasHeading("Leave without saving your choice?");
  await press("Stay");
  await expect.element(take).toHaveValue("1");
});

test("produce is collected by a code of six digits, which a picture shows as well", async () => {
  await screen([ready]);
  const produce = harvest.getByRole("region", { name: "Collect your produce" });
  await expect.element(produce.getByRole("heading", { name: "Your code for 200 kg" })).toBeVisible();
  await expect.element(produce.getByText("0 4 8 2 1 3")).toBeInTheDocument();
  await expect.element(produce.getByRole("img", { name: "QR code of 048213" })).toBeVisible();
  await expect.element(produce.getByText("Gate 2, Epe")).toBeVisible();
  await expect.element(produce.getByText("Monday 14 Dec 2026, 23:59 WAT; 6 days left")).toBeVisible();
  await tell(/^What you had sold is paid to you once/);
  isAbove("Your code for 200 kg", "Planned");
  await expect.element(card.getByText(/Collect 200 kg at Gate 2, Epe, until Monday 14 Dec 2026/)).toBeVisible();
  await fitsPhone();
});

test.each([
  [{ collectedAt: new Date("2026-12-09T10:00:00Z") }, {}, "You collected 200 kg on 9 Dec 2026."],
  [{ uncollectedAt: new Date("2026-12-15T10:00:00Z") }, {}, "200 kg were not collected in time."],
  // Nobody has moved it to what is sold yet.
  [{}, { now: new Date("2026-12-15T00:00:00Z") }, "200 kg were not collected in time."],
])("the code is gone once it is of no use: %o %o", async (part, more, text) => {
  await screen([{ ...ready, ...more, mine: { ...chosen, code: "048213", ...part } }]);
  await tell(text);
  await isSilentOf("0 4 8 2 1 3");
});

test("a settlement is calculated line by line, to the kobo", async () => {
  await screen([
    {
      ...ready,
      state: "settled",
      mine: { ...chosen, code: "048213", collectedAt: new Date("2026-12-09T10:00:00Z") },
      settlements: [settlement],
    },
  ]);
  const table = harvest.getByRole("table", { name: "Settlement 1 of what was sold, 20 Dec 2026" });
  await expect.element(table).toBeVisible();
  const lines = [...table.element().querySelectorAll("tr")].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  );
  expect(lines).toEqual([
    ["Proceeds of the sales", "₦5,651,781.94"],
    ["Costs under the terms", "−₦185,000.00"],
    ["Left to divide", "₦5,466,781.94"],
    ["Your share: 377.743 of 2,073.524 kg", "₦995,907.75"],
    ["Our fee, 5% of your share", "−₦49,795.38"],
    ["VAT, 7.5% of our fee", "−₦3,734.65"],
    ["You get", "₦942,377.72"],
  ]);
  await expect.element(card.getByText(/You get ₦942,377\.72 of it\./)).toBeVisible();
  for (const where of [card, harvest]) {
    await expect
      .element(where.getByRole("link", { name: "See when we pay you" }))
      .toHaveAttribute("href", "/profile?tab=money");
  }
  await fitsPhone();
});

test("a settlement's statement is found when it is asked for, and a failure is said", async () => {
  const { answers, calls } = await screen([{ ...ready, state: "settled", settlements: [settlement] }]);
  expect(calls).not.toContain("papers.find");
  answers["papers.find"] = refusal("not_found", 404, paperTexts.notMade);
  await page.getByRole("button", { name: "Settlement statement of settlement 1 of what was sold" }).click();
  await says(paperTexts.notMade);
  expect(calls).toContain("papers.find");
});

test("what a struck payment takes of a part is said, in figures and in words", async () => {
  const mine = { ...settlement.mine, struckKobo: 94_237_772n };
  await screen([
    {
      ...ready,
      state: "settled",
      mine: { ...chosen, struckKobo: chosen.weightKobo },
      settlements: [{ ...settlement, mine }],
    },
  ]);
  await tell(ownStrikeTexts.ofPart);
  const rows = harvest.getByRole("table").element().querySelectorAll("tr");
  expect([...rows].slice(-3).map(({ textContent }) => textContent)).toEqual([
    "Your part₦942,377.72",
    `${ownStrikeTexts.notPaid}−₦942,377.72`,
    "You get₦0.00",
  ]);
  await fitsPhone();
});

test("several settlements stand each by itself, with their sum", async () => {
  const second = { ...settlement, id: 10, number: 2, pool: "uncollected" as const };
  await screen([{ ...ready, state: "done", settlements: [settlement, second] }]);
  await expect.element(harvest.getByRole("table", { name: /^Settlement 2 of what nobody collected/ })).toBeVisible();
  await tell("₦1,884,755.44");
});

test("a harvest that is lost says why, shows the evidence, and what the insurance covers", async () => {
  const file = { id: 31, harvestId: 5, purpose: "harvest" as const, costId: null, saleId: null };
  const url = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
  const photo = { ...file, name: "flood.gif", contentType: "image/gif", url };
  const report = { ...file, id: 32, name: "report.pdf", contentType: "application/pdf", url: "/files/harvests/32" };
  const insurance = { insurer: "NAIC", policy: "A-12", covers: "Flood, at what was paid." };
  const lost: OwnHarvest = {
    ...choosing,
    state: "lost",
    note: "The river took the whole field.",
    files: [photo, report],
    insurance,
    mine: { ...mine, quantity: 0n, sold: 0n },
  };
  const { answers, reload } = await screen([lost]);
  await tell("What happened: The river took the whole field.");
  await tell("It was insured with NAIC, policy A-12. Flood, at what was paid.");
  const evidence = harvest.getByRole("region", { name: "Evidence" });
  await expect.element(evidence.getByRole("img", { name: "Photo 1 of 1 of the loss, opens large" })).toBeVisible();
  await expect.element(evidence.getByRole("link", { name: "report.pdf" })).toHaveAttribute("href", report.url);
  await evidence.getByRole("button", { name: "Photo 1 of 1 of the loss, opens large" }).click();
  const viewer = page.getByRole("dialog", { name: "Harvest 1" });
  await expect.element(viewer.getByRole("img", { name: "Photo 1 of 1 of the loss" })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(viewer).not.toBeInTheDocument();
  await expect.element(take).not.toBeInTheDocument();
  await fitsPhone();
  answers["harvests.mine"] = [{ ...lost, insurance: null }];
  await reload();
  await tell("It was not insured.");
});

test("an insurer's sum is shared by what was paid, without a fee", async () => {
  await screen([
    {
      ...choosing,
      isInsurance: true,
      number: 2,
      state: "settled",
      quantity: null,
      referencePriceKobo: null,
      mine: null,
      note: "NAIC has paid.",
      choosesUntil: null,
      openedAt: null,
      settlements: [
        {
          ...settlement,
          proceedsKobo: 470_000_000n,
          costsKobo: 0n,
          feeRate: 0,
          vatRate: 0,
          whole: 470_000_000n,
          mine: {
            weight: 120_000_000n,
            shareKobo: 120_000_000n,
            feeKobo: 0n,
            vatKobo: 0n,
            whtKobo: 0n,
            netKobo: 120_000_000n,
            struckKobo: 0n,
          },
        },
      ],
    },
  ]);
  await hasHeading("Insurance");
  await tell("NAIC has paid.");
  await tell("Your share, by what you paid: ₦1,200,000.00 of ₦4,700,000.00");
  await isSilentOf(/^Our fee/);
});

test("a harvest that was withdrawn asks for nothing", async () => {
  await screen([{ ...choosing, state: "withdrawn" }]);
  await tell("This harvest was entered by mistake and withdrawn. There is nothing to choose.");
  await expect.element(take).not.toBeInTheDocument();
});
