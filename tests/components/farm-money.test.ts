import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { payeeAccountTexts } from "#shared/payouts/payee-accounts-texts.ts";
import { releasePartTexts as partTexts } from "#shared/payouts/release-parts-texts.ts";
import { farmReleaseTexts as texts } from "#shared/payouts/releases-texts.ts";
import { roundReturnTexts as returnTexts } from "#shared/payouts/returns-texts.ts";
import {
  type Answers,
  alerts,
  askAnotherOwner,
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
import { backedProject, createdAt, noReports } from "#tests/support/screen-samples.ts";

/** The money that a funded round has for its farm, on the project's management screen. */

type Money = RouterOutputs["farmReleases"]["ofProject"];
type Rounds = RouterOutputs["releaseParts"]["ofProject"];
type Part = Rounds[number]["parts"][number];
type Ask = Rounds[number]["asks"][number];

const raisedKobo = 1_125_000_000n;
const whole: Part = {
  part: 1,
  label: "When the round is funded",
  rate: 10_000,
  proof: "",
  amountKobo: raisedKobo,
  releasedKobo: 0n,
  atFarmKobo: 0n,
  releasableKobo: raisedKobo,
  state: "planned",
  askableFrom: createdAt,
  askId: null,
  isNext: true,
  canBeAskedFor: true,
  releasedAt: null,
  paidAt: null,
  publicReason: null,
  skippedReason: null,
};
const atOnce: Rounds = [
  {
    round: 1,
    hasSteps: false,
    raisedKobo,
    places: { atFarmKobo: 0n, waitingKobo: 0n, withUsKobo: raisedKobo, returnedKobo: 0n },
    isStopped: false,
    parts: [whole],
    asks: [],
  },
];
const ask: Ask = {
  id: 8,
  part: 1,
  note: "500 chicks came on Monday.",
  askedAt: createdAt,
  askedBy: "018f0000-0000-7000-8000-00000000000a",
  askedByName: "Ngozi Bello",
  verdict: null,
  decidedBy: null,
  decidedByName: null,
  decidedAt: null,
  refusal: null,
  isCheckable: true,
  checkRefusal: null,
  proofs: [{ id: 4, askId: 8, url: null, width: null, height: null, at: createdAt, takenAt: null, findings: [] }],
};
const inSteps = (part: Partial<Part>, asks: Ask[]): Rounds =>
  atOnce.map((round) => ({
    ...round,
    hasSteps: true,
    parts: [
      {
        ...whole,
        label: "Chicks and first feed",
        rate: 4000,
        amountKobo: 450_000_000n,
        releasableKobo: 450_000_000n,
        ...part,
      },
      {
        ...whole,
        part: 2,
        label: "Feed to week 5",
        rate: 6000,
        proof: "a receipt",
        isNext: false,
        canBeAskedFor: false,
      },
    ],
    asks,
  }));

const farm: Money["farms"][number] = {
  id: 5,
  name: "Epe Fisheries",
  isClosed: false,
  account: null,
  waitingAccount: null,
};
const funded: Money = {
  rounds: [
    {
      round: 1,
      farmId: 5,
      outcome: "funded",
      owedKobo: 1_125_000_000n,
      releasedKobo: 0n,
      returnedKobo: 0n,
      unseenKobo: 0n,
      releasableKobo: 1_125_000_000n,
      alarms: [],
    },
  ],
  farms: [farm],
  releases: [],
};
const account: Money["farms"][number]["account"] = {
  bankName: "Access Bank",
  bankCode: "044",
  accountNumber: "0690000031",
  accountName: "Epe Ponds Ltd",
  usableFrom: createdAt,
  isUsable: true,
  isNumberUnusual: false,
};
const payout = {
  id: 1,
  state: "due" as const,
  amountKobo: 500_000_000n,
  reference: "GP-2B3C-4D5E 1/3",
  sentAt: null,
  paidAt: null,
  failedReason: null,
  isOverdue: false,
};
const released: Money = {
  rounds: [
    {
      round: 1,
      farmId: 5,
      outcome: "funded",
      owedKobo: 0n,
      releasedKobo: 1_125_000_000n,
      returnedKobo: 0n,
      unseenKobo: 0n,
      releasableKobo: 0n,
      alarms: [],
    },
  ],
  farms: [{ ...farm, account }],
  releases: [
    {
      id: 3,
      round: 1,
      part: null,
      amountKobo: 1_125_000_000n,
      paidBackKobo: 0n,
      madeByName: "Chidi Eze",
      createdAt,
      canBeTakenBack: true,
      takenBackAt: null,
      takenBackByName: null,
      takenBackReason: null,
      payouts: [payout, { ...payout, id: 2, reference: "GP-2B3C-4D5F 2/3" }],
    },
  ],
};

const filled: Answers = {
  ...owner,
  "backings.project": { ...backedProject, isClosed: true },
  "updates.list": { items: [], total: 0 },
  "backings.listForProject": { items: [], total: 0, weightRounds: [1], nextCursor: null },
  "media.ofType": { items: [], counts: { photo: 0, video: 0, youtube: 0, livestream: 0 } },
  "payments.roundToDecide": null,
  "roundReturns.ofProject": [],
  ...noReports,
  "farmReleases.ofProject": funded,
  "releaseParts.ofProject": atOnce,
};
const gone: Rounds = atOnce.map((round) => ({
  ...round,
  places: { atFarmKobo: raisedKobo, waitingKobo: 0n, withUsKobo: 0n, returnedKobo: 0n },
  parts: [{ ...whole, releasedKobo: raisedKobo, releasableKobo: 0n, state: "released" }],
}));
const path = "/admin/project/1?tab=money";
const confirm = () => dialog.getByRole("button", { name: "Release", exact: true }).click();

test("what is there is released in one confirmed act, which a refusal leaves to be tried again", async () => {
  const { answers, sentTo } = await openScreen(path, {
    ...filled,
    "farmReleases.release": refusal("conflict", 409, texts.changed),
  });
  await hasHeading("Money for the farm");
  await fitsPhone();
  await press("Release to the farm…");
  await expect.element(dialog.getByText(texts.accountNeeded)).toBeVisible();
  await confirm();
  await alerts(texts.releaseFailed);
  await says(texts.changed);
  answers["farmReleases.release"] = () => {
    answers["farmReleases.ofProject"] = released;
    answers["releaseParts.ofProject"] = gone;
    return undefined;
  };
  await press("Release to the farm…");
  await confirm();
  await tells(texts.released);
  await expect.element(page.getByText("GP-2B3C-4D5E 1/3")).toBeVisible();
  expect(sentTo("farmReleases.release")).toEqual([
    { projectId: 1, round: 1, part: 1, askId: null, seenKobo: 1_125_000_000n, amountKobo: 1_125_000_000n },
  ]);
  await expect.element(page.getByRole("button", { name: "Release to the farm…" })).not.toBeInTheDocument();
});

test("what an alarm names is sent to another owner with a reason, and the alarm is read", async () => {
  const alarms = ["less money is there than is owed to others"];
  const rounds = funded.rounds.map((round) => ({ ...round, alarms }));
  const { sentTo } = await openScreen(path, {
    ...filled,
    "farmReleases.ofProject": { ...funded, rounds },
    "secondPerson.ask": undefined,
  });
  await press("Release to the farm…");
  await expect.element(dialog.getByText(texts.alarm(alarms))).toBeVisible();
  await fitsPhone();
  await askAnotherOwner("The bank's charges of June are the difference.");
  const details = { projectId: 1, round: 1, part: 1, askId: null, seenKobo: "1125000000", amountKobo: "1125000000" };
  expect(sentTo("secondPerson.ask")).toEqual([
    { kind: "release_to_farm", details, reason: "The bank's charges of June are the difference." },
  ]);
});

test("a release is taken back with a reason that a refusal keeps", async () => {
  const { answers, sentTo } = await openScreen(path, {
    ...filled,
    "farmReleases.ofProject": released,
    "farmReleases.takeBack": serverFault,
  });
  await press("Take back ₦11,250,000 of round 1");
  const reason = dialog.getByLabelText("Reason");
  await reason.fill("Too short");
  await dialog.getByRole("button", { name: "Take back" }).click();
  await expect.element(dialog.getByText("Please say why in at least 20 characters")).toBeVisible();
  await reason.fill("The farm starts a month later than it said.");
  await dialog.getByRole("button", { name: "Take back" }).click();
  await expect.element(dialog.getByRole("alert")).toBeVisible();
  await expect.element(reason).toHaveValue("The farm starts a month later than it said.");
  answers["farmReleases.takeBack"] = () => {
    answers["farmReleases.ofProject"] = funded;
    return undefined;
  };
  await dialog.getByRole("button", { name: "Take back" }).click();
  await tells(texts.takenBack);
  expect(sentTo("farmReleases.takeBack")).toEqual([
    { releaseId: 3, reason: "The farm starts a month later than it said." },
  ]);
});

test("what is in a run or was sent can't be taken back, and how each part stands is said", async () => {
  const [release] = released.releases;
  if (!release) throw new Error("no release");
  const parts: typeof release.payouts = [
    { ...payout, state: "paid", sentAt: createdAt, paidAt: createdAt },
    { ...payout, id: 2, reference: "GP-2B3C-4D5F 2/3", state: "failed", failedReason: "name differs" },
    { ...payout, id: 3, reference: "GP-2B3C-4D5G 3/3", state: "in_run", isOverdue: true },
  ];
  await openScreen(path, {
    ...filled,
    "farmReleases.ofProject": { ...released, releases: [{ ...release, canBeTakenBack: false, payouts: parts }] },
  });
  await expect.element(page.getByText("name differs")).toBeVisible();
  await expect.element(page.getByText("Overdue", { exact: true })).toBeVisible();
  await expect.element(page.getByText("Came back")).toBeVisible();
  await expect.element(page.getByRole("button", { name: /^Take back/ })).not.toBeInTheDocument();
});

test("the farm's account waits for another owner; an unusual number is said once, and what was typed stays", async () => {
  const { answers, sentTo } = await openScreen(path, {
    ...filled,
    "secondPerson.ask": refusal("conflict", 409, "A second person was already asked for this."),
  });
  await press("Give the farm's account");
  await press("Send to another owner");
  await expect.element(page.getByText("Choose a bank", { exact: true }).last()).toBeVisible();
  await page.getByLabelText("Bank", { exact: true }).selectOptions("Access Bank");
  await page.getByLabelText("Account number").fill("0123456789");
  await page.getByLabelText("Account name").fill("Epe Ponds Ltd");
  await page.getByLabelText("Reason").fill("The farm's letter names it.");
  await press("Send to another owner");
  await expect.element(page.getByText(payeeAccountTexts.checkDigit)).toBeVisible();
  await fitsPhone();
  await press("Use it anyway");
  await says("A second person was already asked for this.");
  await expect.element(page.getByLabelText("Account number")).toHaveValue("0123456789");
  answers["secondPerson.ask"] = () => {
    const waitingAccount = {
      bankName: "Access Bank",
      accountNumber: "0123456789",
      accountName: "Epe Ponds Ltd",
      askedBy: "Chidi Eze",
      askedAt: createdAt,
    };
    answers["farmReleases.ofProject"] = { ...funded, farms: [{ ...farm, waitingAccount }] };
    return undefined;
  };
  await press("Use it anyway");
  await tells("Another owner is asked to confirm");
  await expect.element(page.getByText("Access Bank 0123456789")).toBeVisible();
  await expect.element(page.getByText(/^Entered by Chidi Eze on/)).toBeVisible();
  await expect.element(page.getByText(texts.accountWaits)).toBeVisible();
  const details = { farmId: 5, bankCode: "044", accountNumber: "0123456789", accountName: "Epe Ponds Ltd" };
  expect(sentTo("secondPerson.ask")).toEqual([
    { kind: "set_farm_account", details, reason: "The farm's letter names it." },
  ]);
});

test("money that nobody saw at the bank is named; what can't be loaded comes with another try", async () => {
  const [round] = funded.rounds;
  if (!round) throw new Error("no round");
  const { answers } = await openScreen(path, { ...filled, "farmReleases.ofProject": serverFault });
  await expect.element(page.getByText(texts.loadFailed)).toBeVisible();
  answers["farmReleases.ofProject"] = {
    ...funded,
    rounds: [{ ...round, unseenKobo: 25_000_000n, releasableKobo: 1_100_000_000n }],
  };
  const failure = page.getByRole("alert").filter({ hasText: texts.loadFailed });
  await failure.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByText(texts.inTransit(25_000_000n))).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Release to the farm…" })).toBeVisible();
});

test("the sums say where the money is, and add up to what was raised", async () => {
  const places = {
    atFarmKobo: 450_000_000n,
    waitingKobo: 500_000_000n,
    withUsKobo: 75_000_000n,
    returnedKobo: 100_000_000n,
  };
  await openScreen(path, { ...filled, "releaseParts.ofProject": atOnce.map((round) => ({ ...round, places })) });
  await hasHeading("Money of round 1");
  const sums = page.getByRole("region", { name: "Money of round 1" }).getByRole("definition");
  await expect.element(sums.first()).toBeVisible();
  const shown = ["₦4,500,000", "₦5,000,000", "₦750,000", "₦1,000,000"];
  expect((await sums.all()).map((sum) => sum.element().textContent)).toEqual(shown);
  await fitsPhone();
});

test("what a part was asked for with is checked by somebody else, or refused with what the farm reads", async () => {
  const { answers, sentTo } = await openScreen(path, {
    ...filled,
    "releaseParts.ofProject": inSteps({ state: "asked", canBeAskedFor: false, askId: 8 }, [ask]),
    "releaseParts.check": refusal("conflict", 409, partTexts.findingsFirst),
  });
  await says("500 chicks came on Monday.");
  await expect
    .element(page.getByRole("link", { name: "Document 1 of 1" }))
    .toHaveAttribute("href", "/files/release-proofs/4");
  await expect.element(page.getByRole("button", { name: "Release to the farm…" })).not.toBeInTheDocument();
  await press("The proof is right");
  await alerts(partTexts.checkFailed);
  await press("Refuse…");
  await dialog.getByLabelText("Reason").fill("The receipt names another farm.");
  answers["releaseParts.refuse"] = () => {
    const refused: Ask = {
      ...ask,
      verdict: "refused",
      decidedByName: "Chidi Eze",
      decidedAt: createdAt,
      refusal: "The receipt names another farm.",
    };
    answers["releaseParts.ofProject"] = inSteps({ state: "refused" }, [refused]);
    return undefined;
  };
  await dialog.getByRole("button", { name: "Refuse", exact: true }).click();
  await tells(partTexts.refused);
  expect(sentTo("releaseParts.refuse")).toEqual([{ askId: 8, refusal: "The receipt names another farm." }]);
  await expect.element(page.getByText(/^Refused by Chidi Eze on .*: The receipt names another farm\.$/)).toBeVisible();
  await fitsPhone();
});

test("a part that nobody else checked is released by two, and one that is left out too", async () => {
  const checked: Ask = {
    ...ask,
    verdict: "checked",
    decidedBy: "00000000-0000-4000-8000-000000000002",
    decidedByName: "Chidi Eze",
    decidedAt: createdAt,
  };
  const { sentTo } = await openScreen(path, {
    ...filled,
    "releaseParts.ofProject": inSteps({ state: "checked", canBeAskedFor: false, askId: 8 }, [checked]),
    "secondPerson.ask": undefined,
  });
  await press("Release to the farm…");
  await expect.element(dialog.getByText(partTexts.checkedByYou)).toBeVisible();
  await askAnotherOwner("Nobody else is in the office this week.");
  await press("Leave out…");
  await askAnotherOwner("The farm has its own feed this year.");
  expect(sentTo("secondPerson.ask")).toMatchObject([
    { kind: "release_to_farm", details: { part: 1, amountKobo: "450000000" } },
    { kind: "skip_part", details: { part: 2, isSkipped: true } },
  ]);
});

test("a round that nobody runs releases nothing: it leads to where its farm is chosen", async () => {
  const [round] = funded.rounds;
  if (!round) throw new Error("no round");
  const answer = { ...funded, farms: [], rounds: [{ ...round, farmId: null }] };
  await openScreen(path, { ...filled, "farmReleases.ofProject": answer });
  await expect.element(page.getByText(texts.noFarm)).toBeVisible();
  await expect.element(page.getByRole("link", { name: texts.chooseFarm })).toHaveAttribute("href", "/edit-project/1");
  await expect.element(page.getByRole("button", { name: "Release to the farm…" })).not.toBeInTheDocument();
  await fitsPhone();
});

test("where no round is funded the tab says what it will show", async () => {
  await openScreen(path, {
    ...filled,
    "releaseParts.ofProject": [],
    "farmReleases.ofProject": { rounds: [], farms: [], releases: [] },
  });
  await says(partTexts.none);
});

test("a part is released, and an amount that isn't there is refused in the dialog", async () => {
  const asked: unknown[] = [];
  await openScreen(path, { ...filled, "farmReleases.release": (input) => void asked.push(input) });
  await press("Release to the farm…");
  const amount = dialog.getByLabelText("Amount");
  await amount.fill("11,250,000.01");
  await expect.element(dialog.getByText(texts.moreThanThere(1_125_000_000n))).toBeVisible();
  await confirm();
  expect(asked).toEqual([]);
  await amount.fill("250,000");
  await confirm();
  await tells(texts.released);
  expect(asked).toEqual([
    { projectId: 1, round: 1, part: 1, askId: null, seenKobo: 1_125_000_000n, amountKobo: 25_000_000n },
  ]);
});

test("money goes back to backers by two owners, who read who gets how much", async () => {
  const reason = "The farm gave up after the flood.";
  const { sentTo } = await openScreen(path, {
    ...filled,
    "roundReturns.preview": { text: returnTexts.divided(3, 100_00n, 400_00n) },
    "secondPerson.ask": undefined,
  });
  await press("Return to backers…");
  await dialog.getByLabelText("Amount").fill("700");
  await expect.element(dialog.getByText(/3 backers get between ₦100 and ₦400/)).toBeVisible();
  await fitsPhone();
  await askAnotherOwner(reason);
  expect(sentTo("secondPerson.ask")).toEqual([
    { kind: "return_to_backers", details: { projectId: 1, round: 1, amountKobo: "70000" }, reason },
  ]);
});

test("what was returned is listed with its reason, and taken back by two owners", async () => {
  const returned = {
    id: 4,
    round: 1,
    amountKobo: 70_000n,
    reason: "The farm gave up after the flood.",
    madeByName: "Bola Ade",
    createdAt,
    takenBackAt: null,
    takenBackReason: null,
    backers: 3,
    canBeTakenBack: true,
  };
  const { sentTo } = await openScreen(path, {
    ...filled,
    "roundReturns.ofProject": [returned],
    "secondPerson.ask": undefined,
  });
  await expect.element(page.getByText("Round 1, to 3 backers")).toBeVisible();
  await expect.element(page.getByText(/gave up after the flood/)).toBeVisible();
  await press("Take back the return of ₦700 of round 1");
  await askAnotherOwner("It was another round's money.");
  expect(sentTo("secondPerson.ask")).toMatchObject([{ kind: "take_return_back", details: { returnId: 4 } }]);
});
