import { describe, expect, onTestFinished, test } from "vitest";
import { page } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { farmReleaseTexts } from "#shared/payouts/releases-texts.ts";
import { groupedHash, payoutRunTexts } from "#shared/payouts/runs-texts.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import {
  type Answers,
  alerts,
  askAnotherOwner,
  dialog,
  fitsPhone,
  hasHeading,
  onPhone,
  openScreen,
  owner,
  ownerAccount,
  press,
  refusal,
  says,
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";
import { leavesTo } from "#tests/support/inline-forms.ts";
import { createdAt, person, requestOf } from "#tests/support/screen-samples.ts";

/** The owners' screen of payouts and their runs. */

type Overview = RouterOutputs["payouts"]["overview"];
type Due = RouterOutputs["payouts"]["due"];
type Payout = Due["payouts"][number];
type Run = RouterOutputs["payouts"]["run"];
type Runs = RouterOutputs["payouts"]["runs"];

const account: NonNullable<Payout["account"]> = {
  bankName: "Access Bank",
  bankCode: "044",
  accountNumber: "0123456789",
  accountName: "BOLA ADEYINKA",
  usableFrom: createdAt,
  replacedAt: null,
  isEntered: false,
  isNameUnlike: false,
  isNew: false,
  isChanged: false,
  isResting: false,
  isNumberUnusual: false,
};
const payout: Payout = {
  id: 1,
  kind: "refund",
  state: "due",
  reference: "GP-7K3P-9Q2M",
  part: 1,
  parts: 1,
  amountKobo: 470_000_000n,
  projectId: 1,
  projectTitle: "Ponds at Epe",
  round: 1,
  lineId: null,
  lineAccountId: null,
  userId: person.id,
  farmId: null,
  farmName: null,
  personName: person.fullName,
  isBlocked: false,
  isClosed: false,
  paymentReference: "GONA-ABCD-2345",
  createdAt,
  dueAt: createdAt,
  promisedBy: new Date("2026-03-06T23:00:00Z"),
  runId: null,
  sentAt: null,
  paidAt: null,
  paidByName: null,
  paidSessionId: null,
  paidReason: null,
  failedAt: null,
  failedReason: null,
  cancelledAt: null,
  replaces: null,
  replacesRefused: false,
  isRefused: false,
  withheldReason: null,
  isOverdue: false,
  isUnseen: false,
  mayFail: false,
  hindrance: null,
  account,
};
const unlike: Payout = {
  ...payout,
  id: 2,
  reference: "GP-AAAA-BBBB",
  part: 1,
  parts: 2,
  amountKobo: 500_000_000n,
  isOverdue: true,
  personName: "Amina Sule",
  account: { ...account, isNameUnlike: true, isNumberUnusual: true },
};
const resting: Payout = {
  ...payout,
  id: 3,
  reference: "GP-CCCC-DDDD",
  personName: "Zainab Yusuf",
  hindrance: "resting",
  account: { ...account, isResting: true, usableFrom: new Date("2026-03-04T09:30:00Z") },
};
const waiting: Payout = { ...payout, state: "waiting", dueAt: null, promisedBy: null, account: null };
const ofFarm: Payout = {
  ...waiting,
  kind: "farm",
  farmId: 5,
  farmName: "Epe Fisheries",
  userId: null,
  personName: null,
  paymentReference: null,
};
const sent: Payout = { ...payout, state: "sent", runId: 12, sentAt: createdAt, isUnseen: true, mayFail: true };
const refused: Payout = { ...sent, state: "failed", isRefused: true, failedAt: createdAt };

const overview: Overview = {
  waiting: { count: 1, totalKobo: 470_000_000n },
  due: { count: 3, totalKobo: 1_440_000_000n },
  inRun: { count: 0, totalKobo: 0n },
  sent: { count: 2, totalKobo: 940_000_000n },
  overdue: 1,
  unseen: 2,
  runsToApprove: 1,
  runsToVoid: 0,
  runsToExport: 0,
  runsToGive: 0,
};
const ownAccount = { id: 1, bankName: "Test Bank", accountNumber: "0000000001", isActive: true };
const due: Due = { payouts: [payout, unlike, resting], ownAccounts: [ownAccount] };

const listed: Runs["runs"][number] = {
  id: 12,
  state: "draft",
  payouts: 2,
  totalKobo: 970_000_000n,
  linesSha256: "a".repeat(64),
  ownAccount: { bankName: "Test Bank", accountNumber: "0000000001" },
  madeBy: "00000000-0000-4000-8000-000000000003",
  madeByName: "Ngozi Ade",
  createdAt,
  approvedByName: null,
  approvedAt: null,
  aloneReason: null,
  exportedByName: null,
  exportedAt: null,
  givenByName: null,
  givenAt: null,
  closedAt: null,
  voidedByName: null,
  voidedAt: null,
  voidReason: null,
  stale: null,
};
const run: Run = {
  ...listed,
  files: [],
  lines: [payout, unlike],
  isMaker: false,
  canApprove: true,
  canVoid: true,
  approveRefusal: null,
  ownColumns: null,
};
const approved: Run = {
  ...run,
  state: "approved",
  approvedByName: "Chidi Eze",
  approvedAt: createdAt,
  canApprove: false,
};
const exported: Run = {
  ...approved,
  state: "exported",
  exportedByName: "Ngozi Ade",
  exportedAt: createdAt,
  canVoid: false,
  files: [
    { layout: 1, format: "csv", sha256: "c".repeat(64), columns: [] },
    { layout: 1, format: "xlsx", sha256: "e".repeat(64), columns: [] },
  ],
};

const filled: Answers = {
  ...owner,
  "payouts.overview": overview,
  "payouts.due": due,
  "payouts.run": run,
  "payouts.runs": { runs: [listed], nextCursor: null },
  "payouts.list": { payouts: [sent], nextCursor: null },
};
const reason = "The bank portal takes no file today.";
const row = (text: string) => page.getByRole("row").filter({ hasText: text });
const runAddress = "/admin/payouts?tab=runs&run=12";

describe("what is due", () => {
  test("is summed up, and what should be looked at first is said", async () => {
    await openScreen("/admin/payouts", filled);
    await says("1 payout is overdue: the day that was promised has passed.");
    await expect.element(page.getByRole("link", { name: payoutRunTexts.unseen(2) })).toBeVisible();
    await expect.element(page.getByRole("link", { name: payoutRunTexts.runsToApprove(1) })).toBeVisible();
    await says("₦14,400,000");
    await expect.element(page.getByRole("link", { name: "Due 3" })).toHaveAttribute("aria-current", "page");
  });

  test("has tabs that count their rows, and of the runs, which show old ones too, only what is to do", async () => {
    const { answers, reload } = await openScreen("/admin/payouts", filled);
    for (const name of ["Due 3", "No account yet 1", "Runs 1 to do", "Sent 2", "Paid and came back"]) {
      await expect.element(page.getByRole("link", { name, exact: true })).toBeVisible();
    }
    answers["payouts.overview"] = { ...overview, runsToApprove: 0 };
    await reload();
    await expect.element(page.getByRole("link", { name: "Runs", exact: true })).toBeVisible();
  });

  test("has its first row in sight on a laptop, whatever stands above", async () => {
    const { innerWidth, innerHeight } = window;
    await page.viewport(1280, 800);
    onTestFinished(() => page.viewport(innerWidth, innerHeight));
    await openScreen("/admin/payouts", filled);
    await expect.element(row("GP-7K3P-9Q2M")).toBeVisible();
    const { bottom } = row("GP-7K3P-9Q2M").element().getBoundingClientRect();
    expect(bottom).toBeLessThanOrEqual(800);
  });

  test("fits a small phone, with every link of the header in sight", async () => {
    await openScreen("/admin/payouts", filled);
    await onPhone(async () => {
      const settings = page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Settings" });
      await expect.poll(() => settings.element().getBoundingClientRect().right).toBeLessThanOrEqual(360);
      for (const reference of document.querySelectorAll("main .reference")) {
        expect(reference.getClientRects()).toHaveLength(1);
      }
    });
  });

  test("shows whom and where to, with warnings, and what can't be paid yet", async () => {
    await openScreen("/admin/payouts", filled);
    await expect.element(row("GP-7K3P-9Q2M").getByText("0123456789")).toBeVisible();
    await expect.element(row("GP-7K3P-9Q2M").getByText("6 Mar 2026")).toBeVisible();
    const warned = row("GP-AAAA-BBBB 1/2");
    for (const text of ["Name unlike", "Check digit differs", "Overdue"]) {
      await expect.element(warned.getByText(text, { exact: true })).toBeVisible();
    }
    await expect.element(row("GP-CCCC-DDDD").getByText("Rests until Wednesday 10:30")).toBeVisible();
    await expect.element(row("GP-CCCC-DDDD").getByRole("checkbox")).not.toBeInTheDocument();
    await fitsPhone();
  });

  test("is chosen and made a run, which opens", async () => {
    const { path, sentTo } = await openScreen("/admin/payouts", {
      ...filled,
      "payouts.makeRun": { runId: 12 },
    });
    await says("2 payouts can be paid now.");
    await expect.element(page.getByRole("button", { name: "Make a payment run" })).toBeDisabled();
    await page.getByRole("checkbox", { name: "Choose ₦4,700,000 for Bola Adeyinka, GP-7K3P-9Q2M" }).click();
    await expect.element(page.getByRole("button", { name: "Make a run of ₦4,700,000" }).first()).toBeEnabled();
    await press("Choose all 2");
    await page.getByRole("button", { name: "Make a run of ₦9,700,000" }).first().click();
    await tells("Payment run made");
    await expect.poll(() => sentTo("payouts.makeRun")).toEqual([{ payoutIds: [1, 2], ownAccountId: 1 }]);
    await expect.element(dialog.getByText("What it pays")).toBeVisible();
    expect(path()).toBe("/admin/payouts");
  });

  test("is paid from the account that is chosen, and a refusal keeps what was chosen", async () => {
    const made: unknown[] = [];
    await openScreen("/admin/payouts", {
      ...filled,
      "payouts.due": { ...due, ownAccounts: [ownAccount, { ...ownAccount, id: 2, bankName: "Zenith Bank" }] },
      "payouts.makeRun": (input) => {
        made.push(input.ownAccountId);
        return refusal("conflict", 409, "A chosen payout isn't due any more.");
      },
    });
    await press("Choose all 2");
    await page.getByLabelText("Paid from").selectOptions("2");
    await page.getByRole("button", { name: "Make a run of ₦9,700,000" }).first().click();
    await alerts("A chosen payout isn't due any more.");
    expect(made).toEqual([2]);
    await expect.element(page.getByRole("button", { name: "Make a run of ₦9,700,000" }).first()).toBeEnabled();
    await press("Choose none");
    await says("2 payouts can be paid now.");
  });

  test("there may be nothing, or no account of ours", async () => {
    const { answers } = await openScreen("/admin/payouts", { ...filled, "payouts.due": { ...due, payouts: [] } });
    await hasHeading("Nothing is due");
    answers["payouts.due"] = { ...due, ownAccounts: [] };
    await press("Refresh");
    await says("No bank account of ours is kept yet");
  });

  test("what can't be fetched comes with another try, and is waited for", async () => {
    const { answers } = await openScreen("/admin/payouts", { ...filled, "payouts.due": serverFault });
    await hasHeading("Failed to fetch the payouts");
    const answer = Promise.withResolvers<Due>();
    answers["payouts.due"] = () => answer.promise;
    await press("Try again");
    answer.resolve(due);
    await expect.element(row("GP-7K3P-9Q2M")).toBeVisible();
  });
});

describe("a run", () => {
  test("stands in its list, and opens with its lines, hash and who answers for it", async () => {
    await openScreen("/admin/payouts?tab=runs", filled);
    await page.getByRole("link", { name: "Open payment run 12" }).click();
    await expect.element(dialog.getByText("₦9,700,000.00").first()).toBeVisible();
    await expect.element(dialog.getByText("Ngozi Ade, 1 Mar 2026, 10:00 WAT")).toBeVisible();
    await expect.element(dialog.getByText(groupedHash("a".repeat(64)))).toBeVisible();
    // Who approves reads the sum and the hash, then who made it and what it pays.
    const order = [/^(a{8} ){7}a{8}$/, /^Ngozi Ade, 1 Mar/, /^What it pays$/, /^Sum of 2 payouts$/, /^Approve…$/];
    const places = order.map((text) => dialog.getByText(text).element().getBoundingClientRect().top);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    await expect.element(dialog.getByText("Look at these first: 1 payout")).toBeVisible();
    await expect.element(dialog.getByText("GP-AAAA-BBBB 1/2")).toBeInTheDocument();
    await onPhone(async () => {
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth);
    });
  });

  test("of another owner is approved after a question", async () => {
    const { answers, sentTo } = await openScreen(runAddress, {
      ...filled,
      "payouts.approveRun": () => {
        answers["payouts.run"] = approved;
      },
    });
    await press("Approve…");
    await expect.element(page.getByRole("heading", { name: "Approve ₦9,700,000.00 in 2 payouts?" })).toBeVisible();
    expect(sentTo("payouts.approveRun")).toEqual([]);
    await press("Approve");
    await tells("Payment run approved");
    expect(sentTo("payouts.approveRun")).toEqual([{ runId: 12 }]);
    await expect.element(page.getByRole("button", { name: "Make the files…" })).toBeVisible();
    await expect.element(page.getByLabelText("Columns that your bank wants")).toHaveFocus();
  });

  test("that waited too long, or whose maker is gone, is only declared void", async () => {
    const stale: Run = { ...run, stale: "waitedTooLong", canApprove: false };
    const { answers } = await openScreen("/admin/payouts?tab=runs&run=12", {
      ...filled,
      "payouts.overview": { ...overview, runsToApprove: 0, runsToVoid: 1 },
      "payouts.runs": { runs: [{ ...listed, stale: "waitedTooLong" }], nextCursor: null },
      "payouts.run": stale,
    });
    await expect.element(dialog.getByText(payoutRunTexts.waitedTooLong)).toBeVisible();
    await expect.element(dialog.getByText("To be cancelled", { exact: true })).toBeVisible();
    await expect.element(page.getByRole("button", { name: "Approve…" })).not.toBeInTheDocument();
    await expect.element(page.getByRole("button", { name: "Cancel this run…" })).toBeVisible();
    await expect.element(page.getByText(payoutRunTexts.runsToVoid(1))).toBeInTheDocument();
    answers["payouts.run"] = { ...stale, stale: "makerGone" };
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("link", { name: "Open payment run 12" }).click();
    await expect.element(dialog.getByText(payoutRunTexts.makerGone)).toBeVisible();
  });

  test("that can't be approved says why", async () => {
    await openScreen(runAddress, {
      ...filled,
      "payouts.approveRun": refusal(
        "conflict",
        409,
        "The account of GP-7K3P-9Q2M was changed after this run was made.",
      ),
    });
    await press("Approve…");
    await press("Approve");
    await alerts("The account of GP-7K3P-9Q2M was changed after this run was made.");
  });

  test("of one's own waits for another owner", async () => {
    await openScreen(runAddress, {
      ...filled,
      "payouts.run": { ...run, isMaker: true, canApprove: false, approveRefusal: secondPersonTexts.needsAnother },
    });
    await expect.element(dialog.getByText(secondPersonTexts.needsAnother)).toBeVisible();
    await expect.element(page.getByRole("button", { name: "Approve…" })).not.toBeInTheDocument();
  });

  test("of the only owner takes a reason, the password and a code", async () => {
    const { answers, sentTo } = await openScreen(runAddress, {
      ...filled,
      "payouts.run": { ...run, isMaker: true },
      "users.account": { ...ownerAccount, isCodeAsked: true },
      "payouts.approveRun": () => {
        answers["payouts.run"] = approved;
      },
    });
    await press("Approve…");
    await press("Approve");
    await expect.element(page.getByText("Please say why in at least 20 characters")).toBeVisible();
    await page.getByLabelText("Reason").fill(reason);
    await page.getByLabelText("Current Password").fill("Catfish-Pond-42");
    await page.getByLabelText("Code from the app").fill("123456");
    await press("Approve");
    await tells("Payment run approved");
    expect(sentTo("payouts.approveRun")).toEqual([
      { runId: 12, reason, currentPassword: "Catfish-Pond-42", code: "123456" },
    ]);
  });

  test("of the only owner says what could not be loaded, and loads it on demand", async () => {
    const { answers } = await openScreen(runAddress, {
      ...filled,
      "payouts.run": { ...run, isMaker: true },
      "users.account": refusal("internal", 500),
    });
    await press("Approve…");
    await hasHeading("This could not be loaded");
    answers["users.account"] = owner["users.account"];
    await press("Try again");
    await expect.element(page.getByText(/^You are the only owner, so your second factor takes/)).toBeVisible();
  });

  test("of the only owner without a second factor says what is needed", async () => {
    await openScreen(runAddress, { ...filled, "payouts.run": { ...run, isMaker: true } });
    await press("Approve…");
    await expect.element(page.getByText(/^You are the only owner, so your second factor takes/)).toBeVisible();
  });

  test("is cancelled with a reason, which survives a refusal", async () => {
    const { answers, sentTo } = await openScreen(runAddress, {
      ...filled,
      "payouts.voidRun": refusal("conflict", 409, "This run went to the bank already."),
    });
    await press("Cancel this run…");
    await leavesTo(page.getByRole("button", { name: "Cancel this run…" }), "Keep the run");
    await expect.element(page.getByLabelText("Reason")).toHaveFocus();
    await page.getByLabelText("Reason").fill(reason);
    await press("Cancel this run");
    await alerts("This run went to the bank already.");
    answers["payouts.voidRun"] = () => {
      answers["payouts.run"] = {
        ...run,
        state: "void",
        canVoid: false,
        canApprove: false,
        voidedByName: "Chidi Eze",
        voidedAt: createdAt,
        voidReason: reason,
      };
    };
    await press("Cancel this run");
    await tells("Payment run cancelled");
    await expect.element(dialog.getByText("What it would have paid")).toBeVisible();
    expect(sentTo("payouts.voidRun")).toEqual([{ runId: 12, reason }]);
    await expect.element(dialog.getByText(reason)).toBeVisible();
  });

  test("that is approved becomes files of the chosen columns after a question", async () => {
    const { answers, sentTo } = await openScreen(runAddress, {
      ...filled,
      "payouts.run": approved,
      "payouts.exportRun": () => {
        answers["payouts.run"] = exported;
        return { files: exported.files };
      },
    });
    await expect
      .element(dialog.getByText("Beneficiary Name, Account Number, Bank Code, Amount, Narration, Reference"))
      .toBeVisible();
    await page.getByLabelText("Columns that your bank wants").selectOptions("compact");
    await expect.element(dialog.getByText("amount, bankCode, accountNumber, narration")).toBeVisible();
    await expect.element(page.getByRole("option", { name: /^Own columns/ })).not.toBeInTheDocument();
    await press("Make the files…");
    await press("Make the files");
    await tells("The files for the bank are made");
    expect(sentTo("payouts.exportRun")).toEqual([{ runId: 12, profile: "compact" }]);
    const link = page.getByRole("link", { name: "Download CSV" });
    await expect.element(link).toHaveAttribute("href", "/files/payout-runs/12/payouts.csv");
    await expect.element(link).toHaveFocus();
    await expect.element(page.getByText("c".repeat(64))).toBeInTheDocument();
    await expect.element(page.getByText("e".repeat(64))).toBeInTheDocument();
  });

  test("has the columns of the setting first where there are some", async () => {
    await openScreen(runAddress, {
      ...filled,
      "payouts.run": { ...approved, ownColumns: [{ title: "Konto", field: "account" as const }] },
    });
    await expect.element(page.getByLabelText("Columns that your bank wants")).toHaveValue("own");
    await expect.element(dialog.getByText("Konto", { exact: true })).toBeVisible();
  });

  test("whose file the bank couldn't read has it in other columns too", async () => {
    const sentRun = { ...exported, lines: [sent, { ...sent, id: 2, reference: "GP-AAAA-BBBB" }] };
    const { answers, sentTo } = await openScreen(runAddress, {
      ...filled,
      "payouts.run": sentRun,
      "payouts.addRunLayout": () => {
        const columns = [{ title: "bankCode", field: "bankcode" }];
        answers["payouts.run"] = {
          ...sentRun,
          files: [...exported.files, ...exported.files.map((file) => ({ ...file, layout: 2, columns }))],
        };
        return { layout: 2 };
      },
    });
    await press("Another layout…");
    await expect.element(page.getByLabelText("Columns that your bank wants")).toHaveFocus();
    await leavesTo(page.getByRole("button", { name: "Another layout…" }), "Back");
    await page.getByLabelText("Columns that your bank wants").selectOptions("compact");
    await press("Make the file");
    await tells("The file is made in another layout");
    expect(sentTo("payouts.addRunLayout")).toEqual([{ runId: 12, profile: "compact" }]);
    await expect.element(dialog.getByText("Layout 2: bankCode")).toBeVisible();
    await expect
      .element(page.getByRole("link", { name: "Download CSV 2" }))
      .toHaveAttribute("href", "/files/payout-runs/12/payouts.csv?layout=2");
  });

  test("whose file the bank has tells whom it pays, and says who said so", async () => {
    const { answers, sentTo } = await openScreen(runAddress, {
      ...filled,
      "payouts.run": { ...exported, lines: [sent] },
    });
    await expect.element(dialog.getByText(/^Nobody was told yet\./)).toBeVisible();
    answers["payouts.giveRun"] = refusal("conflict", 409, "Download a file of this run first.");
    await press("The bank has it");
    await expect.element(dialog.getByText("Download a file of this run first.")).toBeVisible();
    answers["payouts.giveRun"] = () => {
      answers["payouts.run"] = { ...exported, lines: [sent], givenByName: "Ngozi Ade", givenAt: createdAt };
    };
    await press("The bank has it");
    await tells("Whoever gets the money is told that it is on its way");
    await expect.element(dialog.getByText(/^Ngozi Ade said on .* that the bank has it\.$/)).toBeVisible();
    expect(sentTo("payouts.giveRun")).toEqual([{ runId: 12 }]);
  });

  test("that the bank refused, wholly or some payouts of it, is said by two owners", async () => {
    const { sentTo } = await openScreen(runAddress, {
      ...filled,
      "payouts.run": { ...exported, lines: [sent, { ...sent, id: 2, reference: "GP-AAAA-BBBB" }] },
      "secondPerson.ask": undefined,
    });
    await press("The bank refused it…");
    await expect.element(page.getByLabelText("The whole file")).toHaveFocus();
    await leavesTo(page.getByRole("button", { name: "The bank refused it…" }));
    await expect.element(page.getByLabelText("The whole file")).toBeChecked();
    await page.getByLabelText("₦4,700,000 for Bola Adeyinka, GP-7K3P-9Q2M").click();
    const status = dialog.getByRole("status").filter({ hasText: payoutRunTexts.refused(1, "₦4,700,000.00") });
    await expect.element(status.filter({ hasText: payoutRunTexts.refusedButTaken(1) })).toBeVisible();
    await fitsPhone();
    await askAnotherOwner(reason);
    expect(sentTo("secondPerson.ask")).toEqual([
      { kind: "refuse_payouts", details: { runId: 12, payoutIds: [2] }, reason },
    ]);
  });

  test.each([
    ["all of it was refused", [refused, { ...refused, id: 2 }]],
    ["one of it was refused", [sent, { ...refused, id: 2 }]],
    ["one of it was paid", [sent, { ...sent, id: 2, state: "paid" as const }]],
  ])("whose files would pay somebody twice says so instead of asking to give them: %s", async (_what, lines) => {
    await openScreen(runAddress, { ...filled, "payouts.run": { ...exported, lines } });
    await expect.element(dialog.getByText(payoutRunTexts.giveNoMore)).toBeVisible();
    await expect.element(dialog.getByText(/^Give one of the/)).not.toBeInTheDocument();
    await expect.element(page.getByRole("link", { name: "Download CSV" })).toBeVisible();
  });

  test("that can't be fetched comes with another try", async () => {
    const { answers } = await openScreen(runAddress, { ...filled, "payouts.run": serverFault });
    await hasHeading("Failed to fetch the payment run");
    answers["payouts.run"] = run;
    await dialog.getByRole("button", { name: "Try again" }).click();
    await expect.element(dialog.getByText("₦9,700,000.00").first()).toBeVisible();
  });

  test("there may be none", async () => {
    await openScreen("/admin/payouts?tab=runs", { ...filled, "payouts.runs": { runs: [], nextCursor: null } });
    await hasHeading("No payment run yet");
  });
});

describe("a payout that is due", () => {
  test("is withheld with a reason, and let go by two", async () => {
    const asked: unknown[] = [];
    const withheld = { ...payout, hindrance: "withheld" as const, withheldReason: "The name is on a list." };
    const { answers } = await openScreen("/admin/payouts", {
      ...filled,
      "payouts.due": { ...due, payouts: [payout] },
      "payouts.withhold": (input) => {
        asked.push(input);
        answers["payouts.due"] = { ...due, payouts: [withheld] };
      },
      "secondPerson.ask": (input) => void asked.push(input),
    });
    await press("Withhold ₦4,700,000 for Bola Adeyinka, GP-7K3P-9Q2M");
    await page.getByLabelText("Reason").fill(reason);
    await dialog.getByRole("button", { name: "Withhold" }).click();
    await tells("Payout withheld");
    await says(payoutRunTexts.payable(0));
    const letGo = page.getByRole("button", { name: "Let go: ₦4,700,000 for Bola Adeyinka, GP-7K3P-9Q2M" });
    await expect.element(letGo).toHaveFocus();
    await expect.element(row("GP-7K3P-9Q2M").getByText("Withheld: The name is on a list.")).toBeVisible();
    await press("Let go: ₦4,700,000 for Bola Adeyinka, GP-7K3P-9Q2M");
    await askAnotherOwner(reason);
    expect(asked).toEqual([
      { payoutId: 1, reason },
      { kind: "let_payout_go", details: { payoutId: 1 }, reason },
    ]);
  });
});

const actions = "Actions for ₦4,700,000 for Bola Adeyinka, GP-7K3P-9Q2M";

describe("what was sent", () => {
  test("is marked as paid with the bank's session id and a reason", async () => {
    const { answers, sentTo } = await openScreen("/admin/payouts?tab=sent", {
      ...filled,
      "payouts.markPaid": refusal("conflict", 409, "Another payout has this session id."),
    });
    await expect.element(row("GP-7K3P-9Q2M").getByText("Not seen leaving")).toBeVisible();
    await expect.element(page.getByText(/^Import the latest statement\./)).toBeVisible();
    await press(actions);
    await page.getByRole("menuitem", { name: "Mark as paid…" }).click();
    await press("Mark as paid");
    await says("The session id has 30 digits");
    await page.getByLabelText("Session ID of the transfer").fill("000013261121090000 000000000001");
    await page.getByLabelText("Reason").fill(reason);
    await press("Mark as paid");
    await alerts("Another payout has this session id.");
    answers["payouts.markPaid"] = undefined;
    await press("Mark as paid");
    await tells("Payout marked as paid");
    expect(sentTo("payouts.markPaid")).toEqual([{ payoutId: 1, sessionId: "000013261121090000 000000000001", reason }]);
  });

  test("is declared failed by two owners", async () => {
    const { sentTo } = await openScreen("/admin/payouts?tab=sent", {
      ...filled,
      "secondPerson.ask": undefined,
    });
    await press(actions);
    await page.getByRole("menuitem", { name: "Declare failed…" }).click();
    await askAnotherOwner(reason);
    expect(sentTo("secondPerson.ask")).toEqual([{ kind: "fail_payout", details: { payoutId: 1 }, reason }]);
  });

  test("and was asked about isn't asked about again", async () => {
    const request = requestOf({
      id: 1,
      kind: "fail_payout",
      subject: "1",
      askedBy: "Ngozi Ade",
      reason,
      title: "x",
      projectId: null,
      isOwn: false,
    });
    await openScreen("/admin/payouts?tab=sent", {
      ...filled,
      "secondPerson.list": { requests: [request] },
    });
    await expect.element(row("GP-7K3P-9Q2M").getByText("Another owner is asked")).toBeVisible();
    await press(actions);
    await expect.element(page.getByRole("menuitem", { name: "Mark as paid…" })).toBeVisible();
    await expect.element(page.getByRole("menuitem", { name: "Declare failed…" })).not.toBeInTheDocument();
  });
});

describe("what an owner marked as paid", () => {
  const marked: Payout = { ...sent, state: "paid", paidAt: createdAt, paidByName: "Chidi Eze", paidSessionId: "1" };

  test("stands among what was sent until a line shows it, and says so when it is stale", async () => {
    await openScreen("/admin/payouts?tab=sent", {
      ...filled,
      "payouts.list": { payouts: [marked], nextCursor: null },
    });
    await expect.element(row("GP-7K3P-9Q2M").getByText(/^Marked as paid on .+ by Chidi Eze$/)).toBeVisible();
    await expect.element(row("GP-7K3P-9Q2M").getByText("Not seen leaving")).toBeVisible();
    await press(actions);
    await expect.element(page.getByRole("menuitem", { name: "Declare failed…" })).toBeVisible();
    await expect.element(page.getByRole("menuitem", { name: "Mark as paid…" })).not.toBeInTheDocument();
  });

  test("before the first statement may be declared failed from what is done", async () => {
    const { sentTo } = await openScreen("/admin/payouts?tab=done", {
      ...filled,
      "payouts.list": { payouts: [{ ...marked, isUnseen: false }], nextCursor: null },
      "secondPerson.ask": undefined,
    });
    await press(actions);
    await page.getByRole("menuitem", { name: "Declare failed…" }).click();
    await askAnotherOwner(reason);
    expect(sentTo("secondPerson.ask")).toEqual([{ kind: "fail_payout", details: { payoutId: 1 }, reason }]);
    await fitsPhone();
  });
});

describe("who has no account", () => {
  test("was asked, or two owners enter it where they can't sign in", async () => {
    const userId = "00000000-0000-4000-8000-000000000009";
    const grace: Payout = { ...waiting, userId, personName: "Grace Adamu", isBlocked: true };
    const { sentTo } = await openScreen("/admin/payouts?tab=waiting", {
      ...filled,
      "payouts.list": {
        payouts: [
          waiting,
          { ...grace, id: 4, reference: "GP-EEEE-FFFF", part: 1, parts: 2 },
          { ...grace, id: 5, reference: "GP-GGGG-HHHH", part: 2, parts: 2 },
        ],
        nextCursor: null,
      },
      "secondPerson.ask": undefined,
    });
    await expect.element(row("GP-7K3P-9Q2M").getByText("They were asked where to.")).toBeVisible();
    // One account for all parts of what they are owed.
    await expect.element(row("GP-GGGG-HHHH 2/2").getByText("As with GP-EEEE-FFFF 1/2.")).toBeVisible();
    await press("Enter account of Grace Adamu");
    await press("Send to another owner");
    await says("The account number must be 10 digits");
    await page.getByLabelText("Bank").selectOptions("044");
    await page.getByLabelText("Account number").fill("0000000001");
    await page.getByLabelText("Account name").fill("Grace Adamu");
    await page.getByLabelText("Reason").fill(reason);
    await press("Send to another owner");
    await expect.element(dialog.getByText(/^This number isn't one that this bank usually gives/)).toBeVisible();
    expect(sentTo("secondPerson.ask")).toEqual([]);
    await press("Use it anyway");
    await tells("Another owner is asked to confirm");
    const details = { userId, bankCode: "044", accountNumber: "0000000001", accountName: "Grace Adamu" };
    expect(sentTo("secondPerson.ask")).toEqual([{ kind: "enter_payee_account", details, reason }]);
  });

  test("may be the sender of a line, whose account two owners enter", async () => {
    const asked: { details: unknown }[] = [];
    const sender: Payout = {
      ...waiting,
      kind: "sender",
      userId: null,
      personName: null,
      paymentReference: null,
      projectId: null,
      round: null,
      projectTitle: "transfer of 20 Nov 2026",
      lineId: 7,
      lineAccountId: 1,
    };
    await openScreen("/admin/payouts?tab=waiting", {
      ...filled,
      "payouts.list": { payouts: [sender], nextCursor: null },
      "secondPerson.ask": (input) => void asked.push(input),
    });
    await expect
      .element(page.getByRole("link", { name: "transfer of 20 Nov 2026" }))
      .toHaveAttribute("href", "/admin/bank?account=1&line=7");
    await press("Enter account of Unknown sender");
    await says("Ask their bank or the sender, and compare it with the line. Another owner confirms what you enter.");
    await fitsPhone();
    await page.getByLabelText("Bank").selectOptions("044");
    await page.getByLabelText("Account number").fill("0690000031");
    await page.getByLabelText("Account name").fill("Zed Traders");
    await page.getByLabelText("Reason").fill(reason);
    await press("Send to another owner");
    await press("Use it anyway");
    await tells("Another owner is asked to confirm");
    const details = { lineId: 7, bankCode: "044", accountNumber: "0690000031", accountName: "Zed Traders" };
    expect(asked).toMatchObject([{ kind: "enter_payee_account", details }]);
  });

  test("may be a farm, whose account another owner is asked about; or nobody", async () => {
    const { answers } = await openScreen("/admin/payouts?tab=waiting", {
      ...filled,
      "payouts.list": { payouts: [ofFarm], nextCursor: null },
      "secondPerson.list": { requests: [requestOf({ kind: "set_farm_account", subject: "5" })] },
    });
    await expect.element(row("Epe Fisheries").getByText("Another owner is asked")).toBeVisible();
    answers["payouts.list"] = { payouts: [], nextCursor: null };
    await press("Refresh");
    await hasHeading("Everybody has said where to");
  });
});

test("an owner gives a farm's account where its payout waits, for all its projects", async () => {
  const { sentTo } = await openScreen("/admin/payouts?tab=waiting", {
    ...filled,
    "payouts.list": { payouts: [ofFarm], nextCursor: null },
    "secondPerson.ask": undefined,
  });
  await press("Give the farm's account: Epe Fisheries");
  await expect.element(dialog.getByText(farmReleaseTexts.accountOf("Epe Fisheries"))).toBeVisible();
  await dialog.getByLabelText("Bank", { exact: true }).selectOptions("Access Bank");
  await dialog.getByLabelText("Account number").fill("0690000032");
  await dialog.getByLabelText("Account name").fill("Epe Ponds Ltd");
  await dialog.getByLabelText("Reason").fill("The farm's letter names it.");
  await fitsPhone();
  await dialog.getByRole("button", { name: "Send to another owner" }).click();
  await tells(secondPersonTexts.asked);
  const details = { farmId: 5, bankCode: "044", accountNumber: "0690000032", accountName: "Epe Ponds Ltd" };
  expect(sentTo("secondPerson.ask")).toEqual([
    { kind: "set_farm_account", details, reason: "The farm's letter names it." },
  ]);
});

describe("what became of payouts", () => {
  test("is said with who saw it, or why it came back", async () => {
    const paid: Payout = { ...sent, state: "paid", isUnseen: false, paidAt: createdAt };
    await openScreen("/admin/payouts?tab=done", {
      ...filled,
      "payouts.list": ({ cursor }) =>
        cursor
          ? { payouts: [{ ...paid, id: 9, reference: "GP-GGGG-HHHH" }], nextCursor: null }
          : {
              payouts: [
                { ...paid, paidByName: "Chidi Eze", paidSessionId: "0".repeat(30), paidReason: reason },
                {
                  ...paid,
                  id: 2,
                  reference: "GP-AAAA-BBBB",
                  state: "failed",
                  paidAt: null,
                  failedAt: createdAt,
                  failedReason: "Name differs",
                },
              ],
              nextCursor: "next",
            },
    });
    await expect.element(row("GP-7K3P-9Q2M").getByText(/marked by Chidi Eze$/)).toBeVisible();
    await expect.element(row("GP-AAAA-BBBB").getByText(/: Name differs$/)).toBeVisible();
    await press("Load more payouts");
    await expect.element(row("GP-GGGG-HHHH").getByText(/seen on a statement$/)).toBeVisible();
    await fitsPhone();
  });
});
