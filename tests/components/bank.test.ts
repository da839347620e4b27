import { describe, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { candidateTexts, payoutLineTexts, wallTexts } from "#shared/bank/texts.ts";
import { formatDay } from "#shared/dates.ts";
import {
  type Answers,
  alerts,
  askAnotherOwner,
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
import { leavesTo } from "#tests/support/inline-forms.ts";
import { createdAt, payment, requestOf } from "#tests/support/screen-samples.ts";

/** The administrators' screens of the bank. */

type Overview = RouterOutputs["bank"]["overview"];
type Lines = RouterOutputs["bank"]["lines"];
type Imports = RouterOutputs["bank"]["imports"];
type Line = RouterOutputs["bank"]["line"];

const account: Overview["accounts"][number] = {
  id: 1,
  bankName: "Access Bank",
  accountName: "Gona Farms Limited",
  accountNumber: "0123456789",
  isActive: true,
  openedOn: "2026-11-01",
  isClosed: false,
  lastDay: "2026-11-20",
  bankKobo: 1_250_000_00n,
  ledgerKobo: 1_250_000_00n,
  differenceKobo: 0n,
  gapsKobo: 0n,
  imports: 2,
  counts: { to_match: 2, suggested: 1, matched: 4, own: 0 },
};
const second = { ...account, id: 2, bankName: "Zenith Bank", accountNumber: "9876543210", isActive: false };
const overview: Overview = { inTransitKobo: 1_200_000_00n, accounts: [account], canImport: true, isLocalUse: true };
const unopened: Overview["accounts"][number] = {
  ...account,
  openedOn: null,
  isClosed: false,
  lastDay: null,
  bankKobo: null,
  differenceKobo: null,
  counts: { to_match: 0, suggested: 0, matched: 0, own: 0 },
};

const listed: Lines["items"][number] = {
  id: 7,
  position: 3,
  date: "2026-11-18",
  amountKobo: 500_000_00n,
  matchedKobo: 0n,
  counterparty: null,
  narration: "NIP/ACCESS/ADAEZE OKAFOR/GONA-7K3P-9Q2M",
  reference: "GONA-7K3P-9Q2M",
  isReversal: false,
  suggestedRule: null,
  gapKobo: null,
  explainedBy: [],
};
const charge = { ...listed, id: 8, position: 2, amountKobo: -52_50n, narration: "SMS ALERT CHARGE", reference: null };
const lines: Lines = { items: [listed, charge], nextCursor: null };

const line: Line = {
  id: 7,
  accountId: 1,
  date: "2026-11-18",
  valueDate: "2026-11-18",
  amountKobo: 500_000_00n,
  matchedKobo: 0n,
  balanceKobo: 1_250_000_00n,
  gapKobo: null,
  narration: listed.narration,
  bankReference: "FT2632500001",
  customerReference: null,
  counterparty: null,
  sessionId: "000013261118093000000123456789",
  isReversal: false,
  reference: "GONA-7K3P-9Q2M",
  row: 14,
  account: { bankName: "Access Bank", accountNumber: "0123456789" },
  statement: {
    fileName: "november.csv",
    format: "csv",
    importedAt: createdAt,
    fileUrl: null,
    importedByName: "Chidi Eze",
  },
  otherTexts: [],
  matches: [],
  candidates: [],
  approvable: [],
  canMatch: true,
};
const november: Imports["items"][number] = {
  id: 2,
  fileName: "november.csv",
  format: "csv",
  firstDay: "2026-11-01",
  lastDay: "2026-11-20",
  lines: 312,
  newLines: 287,
  leftOut: { failed: 2, pending: 1, reversed: 0, zero: 0, other: 4 },
  gapReason: "The bank lost them",
  importedByName: "Chidi Eze",
  importedAt: createdAt,
  fileUrl: "/files/1",
};
const october: Imports["items"][number] = {
  ...november,
  id: 1,
  fileName: "october.sta",
  format: "mt940",
  firstDay: "2026-10-31",
  lastDay: "2026-10-31",
  leftOut: { failed: 0, pending: 0, reversed: 0, zero: 0, other: 0 },
  gapReason: null,
  fileUrl: null,
};
const candidate: Extract<Line["candidates"][number], { kind: "payment" }> = {
  kind: "payment",
  rule: "other_amount",
  isSure: false,
  amountKobo: 500_000_00n,
  why: "Our reference, and a part: ₦500,000 of the missing ₦1,200,000.",
  payment: {
    id: 5,
    reference: "GONA-7K3P-9Q2M",
    backerName: "Adaeze Okafor",
    projectTitle: "Ponds at Epe",
    amountKobo: 1_200_000_00n,
    missingKobo: 1_200_000_00n,
    status: "pending",
    hasReceipt: true,
  },
  part: { kind: "payment", amountKobo: 500_000_00n, paymentId: 5 },
};
const match: Line["matches"][number] = {
  id: 3,
  kind: "payment",
  amountKobo: 500_000_00n,
  rule: null,
  reason: null,
  madeByName: "Chidi Eze",
  createdAt,
  undoneAt: null,
  undoneByName: null,
  undoneReason: null,
  counterLine: null,
  payout: null,
  sentBack: null,
  ofRun: null,
  harvest: null,
  buyer: null,
  line: { id: 7, date: "2026-11-18", bankName: "Access Bank" },
  payment: {
    id: 5,
    reference: "GONA-7K3P-9Q2M",
    status: "pending",
    amountKobo: 1_200_000_00n,
    projectTitle: "Ponds at Epe",
    backerName: "Adaeze Okafor",
  },
};
const explainedLine: Line = { ...line, matchedKobo: line.amountKobo, matches: [match] };

const filled: Answers = {
  ...owner,
  "bank.voids": [],
  "bank.overview": overview,
  "bank.lines": lines,
  "bank.line": line,
  "bank.listSurePayments": [],
  "bank.importProgress": { newLines: 2, matchedLines: 2, isDone: true },
  "bank.charges": { texts: ["STAMP DUTY", "SMS ALERT CHARGE"], lines: [] },
};
const fileField = dialog.getByLabelText(/^Statement/);
const lineRow = (text: string) => page.getByRole("row").filter({ hasText: text });

describe("the accounts", () => {
  test("bank and ledger agree, or the difference is said in words", async () => {
    const { answers } = await openScreen("/admin/bank", filled);
    await hasHeading("Access Bank");
    await expect.element(page.getByText("₦0.00")).toBeVisible();
    await says("Statements up to 20 Nov 2026. Bank and ledger agree.");
    answers["bank.overview"] = {
      ...overview,
      accounts: [{ ...account, bankKobo: 1_268_400_00n, differenceKobo: 18_400_00n, gapsKobo: 18_400_00n }],
    };
    await press("Refresh");
    await expect
      .element(page.getByText(/^Statements up to .* ₦18,400\.00 are missing in the statements/))
      .toBeVisible();
    answers["bank.overview"] = { ...overview, accounts: [{ ...account, differenceKobo: -100n }] };
    await press("Refresh");
    await expect.element(page.getByText(/The bank has ₦1\.00 less than our ledger\./)).toBeVisible();
  });

  test("of several one is looked at, and chosen by its name", async () => {
    const asked: unknown[] = [];
    await openScreen("/admin/bank", {
      ...filled,
      "bank.overview": { ...overview, accounts: [account, second] },
      "bank.lines": (input) => {
        asked.push(input.accountId);
        return lines;
      },
    });
    await page.getByRole("link", { name: "Zenith Bank" }).click();
    await expect.element(page.getByRole("link", { name: "Zenith Bank" })).toHaveAttribute("aria-current", "page");
    await expect.poll(() => asked.at(-1)).toBe(2);
  });

  test("there may be none yet", async () => {
    const { path } = await openScreen("/admin/bank", { ...filled, "bank.overview": { ...overview, accounts: [] } });
    await hasHeading("No bank account yet");
    await page.getByRole("link", { name: "Add a bank account" }).click();
    await expect.poll(path).toBe("/admin/settings");
  });

  test("there may be no statement yet", async () => {
    await openScreen("/admin/bank", { ...filled, "bank.overview": { ...overview, accounts: [unopened] } });
    await hasHeading("No statement yet");
    await says("No statement was imported yet, so nothing shows that the ₦1,200,000.00 in transit arrived.");
    await press("Import a statement");
    await expect.element(fileField).toBeInTheDocument();
  });

  test("who may only look imports nothing", async () => {
    await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.overview": { ...overview, canImport: false },
      "bank.line": { ...line, canMatch: false, candidates: [candidate], matches: [] },
    });
    await expect.element(dialog.getByText(/₦500,000\.00 of this line is not matched yet/)).toBeVisible();
    await expect.element(page.getByRole("button", { name: "Import a statement" })).not.toBeInTheDocument();
    await expect.element(page.getByRole("button", { name: /^Choose/ })).not.toBeInTheDocument();
  });

  test("what can't be fetched comes with another try", async () => {
    const { answers } = await openScreen("/admin/bank", { ...filled, "bank.overview": serverFault });
    await hasHeading("Failed to fetch the bank's accounts");
    answers["bank.overview"] = overview;
    answers["bank.lines"] = serverFault;
    await press("Try again");
    await hasHeading("Failed to fetch the lines");
    answers["bank.lines"] = lines;
    await press("Try again");
    await expect.element(lineRow("SMS ALERT CHARGE")).toBeVisible();
  });

  test("they are waited for", async () => {
    const answer = Promise.withResolvers<Overview>();
    await openScreen("/admin/bank", { ...filled, "bank.overview": () => answer.promise });
    await expect.element(page.getByRole("status", { name: "Loading the bank's accounts" })).toBeInTheDocument();
    answer.resolve(overview);
    await hasHeading("Access Bank");
  });
});

describe("the lines", () => {
  test("stand under what is left to do, and are searched", async () => {
    const asked: unknown[] = [];
    await openScreen("/admin/bank", {
      ...filled,
      "bank.lines": (input) => {
        asked.push([input.tab, input.search]);
        return input.search ? { items: [], nextCursor: null } : lines;
      },
    });
    await expect.element(lineRow("SMS ALERT CHARGE").getByText(/−₦52\.50$/)).toBeVisible();
    await expect.element(lineRow("ADAEZE").getByText(/\+₦500,000\.00$/)).toBeVisible();
    await fitsPhone();
    await page.getByRole("link", { name: "Matched 4" }).click();
    await expect.poll(() => asked.at(-1)).toEqual(["matched", undefined]);
    await page.getByLabelText("Search lines").fill("xyz");
    await hasHeading('No lines match "xyz"');
    expect(asked.at(-1)).toEqual(["matched", "xyz"]);
    await page.getByRole("link", { name: "Clear the search" }).click();
    await expect.element(lineRow("SMS ALERT CHARGE")).toBeVisible();
  });

  test("suggestions come first where nothing else waits", async () => {
    const counts = { ...account.counts, to_match: 0 };
    await openScreen("/admin/bank", {
      ...filled,
      "bank.overview": { ...overview, accounts: [{ ...account, counts }] },
      "bank.lines": ({ tab }) =>
        tab === "suggested"
          ? { items: [{ ...listed, suggestedRule: "other_amount" }], nextCursor: null }
          : { items: [], nextCursor: null },
    });
    await expect.element(lineRow("ADAEZE").getByText("Our reference, another amount")).toBeVisible();
    await page.getByRole("link", { name: "To match 0" }).click();
    await hasHeading("Nothing is without a suggestion");
    await page.getByRole("link", { name: "Show 1 suggestion" }).click();
    await expect.element(lineRow("ADAEZE")).toBeVisible();
  });

  test("all may be explained", async () => {
    const counts = { ...account.counts, to_match: 0, suggested: 0 };
    await openScreen("/admin/bank", {
      ...filled,
      "bank.overview": { ...overview, accounts: [{ ...account, counts }] },
      "bank.lines": { items: [], nextCursor: null },
    });
    await hasHeading("Everything is matched");
  });
});

describe("the imports", () => {
  const opened = (answers: Answers = {}, path = "/admin/bank?view=imports") =>
    openScreen(path, {
      ...filled,
      "bank.imports": { items: [november, october], nextCursor: null, canVoid: true },
      ...answers,
    });

  test("stand beside the lines: the file, its days, what it brought, what was left out, by whom and when", async () => {
    await opened({}, "/admin/bank");
    await page.getByRole("link", { name: "Imports 2" }).click();
    const [first, second] = [lineRow("november.csv"), lineRow("october.sta")];
    await expect.element(first.getByRole("link", { name: "november.csv" })).toHaveAttribute("href", "/files/1");
    for (const text of [
      ...["CSV", "1 Nov 2026 to 20 Nov 2026", "Money missing: “The bank lost them”", "312, 287 new"],
      ...["2 failed, 1 pending, 4 without money", "Chidi Eze"],
    ]) {
      await expect.element(first.getByText(text, { exact: true })).toBeVisible();
    }
    await expect.element(second.getByText("Nothing", { exact: true })).toBeVisible();
    await expect.element(second.getByText("31 Oct 2026", { exact: true })).toBeVisible();
    // Who may not import has no link to the bytes.
    await expect.element(second.getByRole("link")).not.toBeInTheDocument();
    await says("2 imports shown. A file that was refused leaves nothing, so it isn't among them.");
    await fitsPhone();
    await page.getByRole("link", { name: "Matched 4" }).click();
    await expect.element(lineRow("SMS ALERT CHARGE")).toBeVisible();
  });

  test("a wrong file goes to another owner to be void, and what is void is listed with its reason", async () => {
    const reason = "This file is of the other account.";
    const { sentTo } = await opened({
      "secondPerson.ask": undefined,
      "bank.voids": [
        {
          id: 1,
          what: "statement",
          reason,
          madeByName: "Bola Ade",
          createdAt,
          fileUrl: "/files/9",
          fileName: "wrong.csv",
          firstDay: "2026-11-03",
          lastDay: "2026-11-04",
          lines: 2,
          line: null,
        },
      ],
    });
    await expect.element(page.getByText("wrong.csv, 3 Nov 2026 to 4 Nov 2026, 2 lines")).toBeVisible();
    await expect.element(page.getByText(/Confirmed by Bola Ade.*other account/)).toBeVisible();
    await press("Void november.csv");
    await fitsPhone();
    await askAnotherOwner(reason);
    expect(sentTo("secondPerson.ask")).toEqual([
      { kind: "void_bank_data", details: { what: "statement", statementId: november.id }, reason },
    ]);
  });

  test("come a page at a time", async () => {
    const asked: unknown[] = [];
    await opened({
      "bank.imports": ({ accountId, cursor }) => {
        asked.push([accountId, cursor]);
        return cursor
          ? { items: [october], nextCursor: null, canVoid: true }
          : { items: [november], nextCursor: "next", canVoid: true };
      },
    });
    await press("Load more imports");
    await expect.element(lineRow("october.sta")).toBeVisible();
    expect(asked).toEqual([
      [1, undefined],
      [1, "next"],
    ]);
  });

  test("may be none, and what can't be fetched comes with another try", async () => {
    const { answers } = await opened({ "bank.imports": serverFault });
    await hasHeading("Failed to fetch the imports");
    answers["bank.imports"] = { items: [], nextCursor: null, canVoid: true };
    await press("Try again");
    await hasHeading("No statement was imported yet");
  });
});

const asked = (kind: "book_loss" | "match_line") =>
  requestOf({ id: 1, kind, subject: "7", askedBy: "Ngozi Ade", reason: "x", title: "x", projectId: null, isOwn: true });

describe("a line", () => {
  test("shows what the bank wrote for it at other times", async () => {
    await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": {
        ...line,
        otherTexts: [
          { narration: "NIP INWARD", bankReference: "FT2632500001" },
          { narration: line.narration, bankReference: "FT99" },
        ],
      },
    });
    await expect.element(dialog.getByText("The bank also wrote: NIP INWARD")).toBeVisible();
    await expect.element(dialog.getByText("The bank also wrote: FT99")).toBeVisible();
  });

  test("that the bank never had is asked about over it: Escape leaves the line open, and the keyboard goes back", async () => {
    await openScreen("/admin/bank?line=7", filled);
    const ask = page.getByRole("button", { name: "Void this line" });
    await ask.click();
    await expect.element(page.getByLabelText("Reason")).toHaveFocus();
    await userEvent.keyboard("{Escape}");
    await expect.element(page.getByLabelText("Reason")).not.toBeInTheDocument();
    await expect.element(page.getByRole("heading", { name: "Line of the statement" })).toBeVisible();
    await expect.element(ask).toHaveFocus();
  });

  test("is opened by the keyboard from the list, and closed again", async () => {
    await openScreen("/admin/bank", filled);
    const open = lineRow("ADAEZE").getByRole("link", { name: /^Match/ });
    await expect.element(open).toBeVisible();
    (open.element() as HTMLElement).focus();
    await userEvent.keyboard("{Enter}");
    await expect.element(dialog.getByText(/^000013261118093000000123456789/)).toBeVisible();
    await expect.element(dialog.getByText(/^november\.csv, row 14\./)).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await expect.element(dialog).not.toBeInTheDocument();
  });

  test("is explained by a suggestion with one press", async () => {
    const { answers, sentTo } = await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": { ...line, candidates: [candidate] },
      "bank.match": () => {
        answers["bank.line"] = explainedLine;
      },
    });
    await expect
      .element(dialog.getByText("Our reference, and a part: ₦500,000 of the missing ₦1,200,000."))
      .toBeVisible();
    await press("Choose Adaeze Okafor, GONA-7K3P-9Q2M");
    await tells("Matched");
    await expect.element(dialog.getByRole("heading", { name: "Matched to" })).toBeVisible();
    expect(sentTo("bank.match")).toEqual([
      { lineId: 7, seenMatchedKobo: 0n, parts: [{ kind: "payment", amountKobo: 500_000_00n, paymentId: 5 }] },
    ]);
  });

  test("a refusal is told, and the line looked at again", async () => {
    const { answers } = await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": { ...line, candidates: [candidate] },
      "bank.match": () => {
        answers["bank.line"] = explainedLine;
        return refusal("conflict", 409, "This line changed while you were looking at it.");
      },
    });
    await press("Choose Adaeze Okafor, GONA-7K3P-9Q2M");
    await alerts("This line changed while you were looking at it.");
    await expect.element(dialog.getByRole("heading", { name: "Matched to" })).toBeVisible();
  });

  test("is split by hand into parts, also equal ones, that may leave a rest", async () => {
    const matched: unknown[] = [];
    const { answers } = await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": { ...line, candidates: [candidate] },
      "payments.list": { items: [payment], nextCursor: null, canProcess: true, isBankKnown: true, unseenLimit: null },
      "bank.match": (input) => {
        matched.push(input.parts);
        answers["bank.line"] = { ...explainedLine, matchedKobo: 400_000_00n };
      },
    });
    await press("Split into parts");
    await press("Add Adaeze Okafor, GONA-7K3P-9Q2M");
    const first = dialog.getByLabelText("Amount for Adaeze Okafor, GONA-7K3P-9Q2M");
    await expect.element(first).toHaveValue("500,000");
    await first.fill("200,000");
    await press("Another payment");
    await dialog.getByLabelText("Search payments").fill("bola");
    await press(`Add ${payment.backerName}, ${payment.reference}`);
    const other = dialog.getByLabelText(`Amount for ${payment.backerName}, ${payment.reference}`);
    await expect.element(other).toHaveValue("300,000");
    await says("The parts add up to ₦500,000.00.");
    await other.fill("300,000.01");
    await says("The parts are ₦0.01 more than there is to match.");
    await expect.element(dialog.getByRole("button", { name: "Match with 2 parts" })).toBeDisabled();
    await other.fill("200,000");
    await says("₦400,000.00 of ₦500,000.00; ₦100,000.00 stay to be matched.");
    await press("Match with 2 parts");
    await tells("Matched");
    expect(matched).toEqual([
      [
        { kind: "payment", amountKobo: 200_000_00n, paymentId: 5 },
        { kind: "payment", amountKobo: 200_000_00n, paymentId: payment.id },
      ],
    ]);
    await hasHeading("₦100,000.00 to match");
  });

  test("is split as it was prepared by one press, or after a look at the parts", async () => {
    const matched: unknown[] = [];
    const part = (paymentId: number, amountKobo: bigint) => ({ kind: "payment" as const, amountKobo, paymentId });
    const split: Line["candidates"][number] = {
      kind: "split",
      rule: "split",
      isSure: false,
      amountKobo: 500_000_00n,
      why: "It names 2 of our references, and what is missing of them sums to it.",
      parts: [
        {
          backerName: "Adaeze Okafor",
          projectTitle: "Ponds at Epe",
          reference: "GONA-7K3P-9Q2M",
          part: part(5, 300_000_00n),
        },
        {
          backerName: "Efe Okoro",
          projectTitle: "Snails at Ijebu",
          reference: "GONA-2222-3333",
          part: part(6, 200_000_00n),
        },
      ],
      part: null,
    };
    await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": { ...line, candidates: [split] },
      "bank.match": (input) => void matched.push(input.parts),
    });
    await says("It names 2 of our references, and what is missing of them sums to it.");
    await press("Change the parts");
    await expect.element(dialog.getByLabelText("Amount for Efe Okoro, GONA-2222-3333")).toHaveValue("200,000");
    await says("The parts add up to ₦500,000.00.");
    await press("Don't split");
    await press("Choose all 2 parts");
    await tells("Matched");
    expect(matched).toEqual([[part(5, 300_000_00n), part(6, 200_000_00n)]]);
    await fitsPhone();
  });

  test("leads to its payment, and offers to approve what it shows wholly", async () => {
    const { answers, path, sentTo } = await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": { ...explainedLine, approvable: [5] },
      "payments.list": { items: [], nextCursor: null, canProcess: true, isBankKnown: true, unseenLimit: null },
      "payments.statusCounts": { pending: 0, approved: 0, rejected: 0, late: 0 },
      "payments.projects": { items: [] },
      "bank.confirmSurePayments": () => {
        answers["bank.line"] = explainedLine;
        return { approved: 1, refundsDue: 0, refused: [] };
      },
    });
    await press("Approve the payment GONA-7K3P-9Q2M");
    await tells("Payment GONA-7K3P-9Q2M approved");
    expect(sentTo("bank.confirmSurePayments")).toEqual([{ paymentIds: [5] }]);
    await expect
      .element(dialog.getByRole("button", { name: "Approve the payment GONA-7K3P-9Q2M" }))
      .not.toBeInTheDocument();
    await dialog.getByRole("link", { name: "See the payment GONA-7K3P-9Q2M" }).click();
    await expect.poll(path).toBe("/admin/payments");
  });

  test("of money out is charges, or ignored with a reason", async () => {
    const matched: unknown[] = [];
    await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": { ...line, amountKobo: -52_50n },
      "bank.match": (input) => {
        matched.push(input.parts);
        return undefined;
      },
    });
    await expect.element(dialog.getByText("Nothing that we know of fits. Say below what it is.")).toBeVisible();
    await press("Bank charges");
    await tells("Matched");
    await press("The company's own money…");
    await press("Cancel");
    const own = dialog.getByRole("button", { name: "The company's own money…" });
    await expect.element(own).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await press("Book ₦52.50");
    await says("Please say why");
    await dialog.getByLabelText("Reason").fill("Fees withdrawn");
    await press("Book ₦52.50");
    await expect
      .poll(() => matched)
      .toEqual([
        [{ kind: "bank_charges", amountKobo: 52_50n }],
        [{ kind: "operator", amountKobo: 52_50n, reason: "Fees withdrawn" }],
      ]);
  });

  test("is money between own accounts", async () => {
    const matched: unknown[] = [];
    await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.overview": { ...overview, accounts: [account, second] },
      "bank.counterLines": [
        {
          id: 31,
          date: "2026-11-17",
          amountKobo: -500_000_00n,
          matchedKobo: 0n,
          narration: "TRF TO ACCESS",
          bankName: "Zenith Bank",
          accountNumber: "9876543210",
        },
      ],
      "bank.match": (input) => {
        matched.push(input.parts);
        return undefined;
      },
    });
    await press("Between our bank accounts");
    await press("Choose ₦500,000.00 of Zenith Bank, 17 Nov 2026");
    await tells("Matched");
    expect(matched).toEqual([[{ kind: "own_transfer", amountKobo: 500_000_00n, counterLineId: 31 }]]);
  });

  test("without a reference becomes the payment of who agreed to buy, found by name", async () => {
    const asked: unknown[] = [];
    const agreed = { projectTitle: "Ponds at Epe", lots: 2, amountKobo: 500_000_00n, agreedAt: createdAt };
    const { sentTo } = await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.purchases": (input) => {
        asked.push(input.search);
        if (input.search === "zed") return [];
        return [
          {
            ...agreed,
            reference: "GONA-7K3P-9Q2M",
            backerName: "Adaeze Okafor",
            hold: { state: "live", until: createdAt },
          },
          { ...agreed, reference: "GONA-8K3P-9Q2M", backerName: "Bisi Alabi", hold: null },
        ];
      },
      "bank.match": undefined,
    });
    await press("Somebody without a receipt");
    await expect.element(dialog.getByText(/^Lots held until/)).toBeVisible();
    await says("The line is their proof: it makes their payment, and we tell them.");
    await fitsPhone();
    await page.getByLabelText("Search backers").fill("zed");
    await says("Nobody that matches “zed” agreed to buy lots without sending a receipt.");
    await page.getByLabelText("Search backers").fill("");
    await press("Choose Bisi Alabi, GONA-8K3P-9Q2M");
    await tells("Matched");
    const part = { kind: "purchase", amountKobo: 500_000_00n, reference: "GONA-8K3P-9Q2M" };
    expect(sentTo("bank.match")).toMatchObject([{ parts: [part] }]);
    expect(asked).toContain("zed");
  });

  test("of nobody here goes back to its sender, whose account is entered where the payouts are", async () => {
    const { answers, sentTo } = await openScreen("/admin/bank?line=7", { ...filled, "bank.match": undefined });
    await press("Send it back…");
    await page.getByLabelText("Reason").fill("Zed Traders typed a wrong number");
    await fitsPhone();
    const sentBack: Line["matches"][number] = { ...match, kind: "sent_back", payment: null, sentBack: "waiting" };
    answers["bank.line"] = { ...line, matchedKobo: 500_000_00n, matches: [sentBack] };
    await press("Send back ₦500,000.00");
    const part = { kind: "sent_back", amountKobo: 500_000_00n, reason: "Zed Traders typed a wrong number" };
    await expect.poll(() => sentTo("bank.match")).toMatchObject([{ parts: [part] }]);
    await expect.element(dialog.getByText("No account yet")).toBeVisible();
    await expect
      .element(dialog.getByRole("link", { name: "Enter the sender's account" }))
      .toHaveAttribute("href", "/admin/payouts?tab=waiting");
  });

  test("an explanation is undone with a reason, and stays to be read", async () => {
    const { answers, sentTo } = await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": explainedLine,
      "bank.undo": () => {
        const gone = { ...match, undoneAt: createdAt, undoneByName: "Chidi Eze", undoneReason: "Another Adaeze" };
        answers["bank.line"] = { ...line, matches: [gone] };
      },
    });
    await press("Undo…");
    await press("Undo this explanation");
    await says("Please say why");
    await dialog.getByLabelText("Reason").fill("Another Adaeze");
    await press("Undo this explanation");
    await tells("Explanation undone");
    await expect.element(dialog.getByText(/^Undone by Chidi Eze on .*: Another Adaeze$/)).toBeVisible();
    expect(sentTo("bank.undo")).toEqual([{ matchId: 3, reason: "Another Adaeze" }]);
  });

  test("a reason stays where it is refused", async () => {
    await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.match": refusal("conflict", 409, "Only ₦1 of this line is unmatched."),
    });
    await press("The company's own money…");
    await dialog.getByLabelText("Reason").fill("Capital");
    await press("Book ₦500,000.00");
    await expect.element(dialog.getByText("Only ₦1 of this line is unmatched.")).toBeVisible();
    await expect.element(dialog.getByLabelText("Reason")).toHaveValue("Capital");
    expect(dialog.getByRole("form").element().contains(document.activeElement)).toBe(true);
  });

  const payout = {
    id: 4,
    reference: "GP-2B3C-4D5E",
    payeeName: "Ada Obi",
    projectTitle: "Ponds at Epe",
    amountKobo: 500_000_00n,
    runId: 2,
    isSecondOut: false,
  };

  test("is a payout that left, or all of a run in one debit", async () => {
    const { payment: _, ...common } = { ...candidate, isSure: true };
    const ofPayout: Line["candidates"][number] = {
      ...common,
      kind: "payout",
      rule: "payout_reference",
      payout: { ...payout, state: "sent" },
      isLateDebit: false,
      part: { kind: "payout", amountKobo: 500_000_00n, payoutId: 4 },
    };
    const ofRun: Line["candidates"][number] = {
      ...common,
      kind: "payout_run",
      rule: "run_total",
      run: { id: 2, payouts: 17 },
      part: { kind: "payout_run", amountKobo: 500_000_00n, runId: 2 },
    };
    const { sentTo } = await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": { ...line, amountKobo: -500_000_00n, candidates: [ofPayout, ofRun] },
      "bank.match": undefined,
    });
    await expect.element(dialog.getByText("Ponds at Epe, GP-2B3C-4D5E, payment run 2")).toBeVisible();
    await expect.element(dialog.getByText("17 payouts")).toBeVisible();
    await press("Choose Ada Obi, GP-2B3C-4D5E");
    await tells("Matched");
    await press("Choose Payment run 2");
    await expect.poll(() => sentTo("bank.match")).toHaveLength(2);
    expect(sentTo("bank.match")).toMatchObject([{ parts: [ofPayout.part] }, { parts: [ofRun.part] }]);
  });

  test("is a payout that was declared failed and left after all: two book it as a loss", async () => {
    const late: Line["candidates"][number] = {
      ...candidate,
      isSure: false,
      kind: "payout",
      rule: "payout_reference",
      part: null,
      payout: { ...payout, state: "failed" },
      isLateDebit: true,
      why: "It left after all.",
    };
    const { answers, sentTo } = await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": { ...line, amountKobo: -500_000_00n, candidates: [late] },
    });
    answers["secondPerson.ask"] = () => {
      answers["secondPerson.list"] = { requests: [asked("book_loss")] };
    };
    const book = dialog.getByRole("button", { name: "It left after all… Book GP-2B3C-4D5E as a loss" });
    await book.click();
    await leavesTo(book);
    await expect.element(dialog.getByText(/another payout has taken the place of this one/)).toBeVisible();
    const reason = "The bank confirmed that it left.";
    await askAnotherOwner(reason);
    const details = { lineId: 7, payoutId: 4, amountKobo: "50000000" };
    expect(sentTo("secondPerson.ask")).toEqual([{ kind: "book_loss", details, reason }]);
    await expect.element(dialog.getByText("Another owner is asked to book it as a loss")).toBeVisible();
    await expect.element(book).not.toBeInTheDocument();
    expect(dialog.element().contains(document.activeElement)).toBe(true);
  });

  test("is a payout that came back: by hand with what the bank says of it and of its account, undone by two", async () => {
    const returned: Line["matches"][number] = {
      ...match,
      kind: "returned",
      payment: null,
      reason: "name differs",
      payout: { ...payout, state: "failed" },
    };
    const { answers, sentTo } = await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.payouts": [{ ...payout, state: "paid", sentAt: createdAt }],
      "bank.match": () => {
        answers["bank.line"] = { ...line, matchedKobo: line.amountKobo, matches: [returned] };
      },
    });
    await press("A payout that came back");
    // No "Paid" stands above the question whether it came back.
    await expect.element(dialog.getByRole("button", { name: "GP-2B3C-4D5E came back" })).toBeVisible();
    await expect.element(dialog.getByText("Paid", { exact: true })).not.toBeInTheDocument();
    await press("GP-2B3C-4D5E came back");
    await expect.element(dialog.getByText(`₦500,000.00 ${payoutLineTexts.owedAgain}`)).toBeVisible();
    await leavesTo(dialog.getByRole("button", { name: "GP-2B3C-4D5E came back" }));
    await dialog.getByLabelText("Reason").fill("name differs");
    await dialog.getByLabelText("The bank named the account wrong").click();
    await expect.element(dialog.getByText(`₦500,000.00 ${payoutLineTexts.owedToOther}`)).toBeVisible();
    await press("It came back");
    await tells("Matched");
    await expect.element(dialog.getByText("Payout that came back: Ponds at Epe, GP-2B3C-4D5E")).toBeVisible();
    expect(sentTo("bank.match")).toMatchObject([
      {
        parts: [
          { kind: "returned", amountKobo: 500_000_00n, payoutId: 4, reason: "name differs", isAccountWrong: true },
        ],
      },
    ]);
    const why = wallTexts.needsTwo([payoutLineTexts.cameBackUndone]);
    answers["bank.undo"] = refusal("conflict", 409, why, { details: { needs: "second_person" } });
    await press("Undo…");
    await leavesTo(dialog.getByRole("button", { name: "Undo…" }));
    await dialog.getByLabelText("Reason").fill("It was a buyer's transfer.");
    await press("Undo this explanation");
    await says(why);
    await userEvent.keyboard("{Escape}");
    await expect.element(dialog.getByRole("button", { name: "Undo…" })).toHaveFocus();
  });

  test("is one of two transfers of a payout that left twice: nothing is owed again, so nothing is asked", async () => {
    const part = { kind: "returned" as const, amountKobo: 500_000_00n, payoutId: 4 };
    const second: Line["candidates"][number] = {
      kind: "returned",
      rule: "came_back",
      isSure: false,
      why: payoutLineTexts.givesSecondBack,
      amountKobo: 500_000_00n,
      payout: { ...payout, state: "paid", isSecondOut: true },
      part,
    };
    const { answers, sentTo } = await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": { ...line, amountKobo: 500_000_00n, candidates: [second] },
      "bank.payouts": [{ ...payout, state: "paid", isSecondOut: true, sentAt: createdAt }],
      "bank.match": undefined,
    });
    await press("Choose Ada Obi, GP-2B3C-4D5E");
    await tells("Matched");
    answers["bank.line"] = { ...line, amountKobo: 500_000_00n, candidates: [] };
    await press("A payout that came back");
    const found = dialog.getByLabelText(/^Payouts found/);
    await expect.element(found.getByText(payoutLineTexts.givesSecondBack)).toBeVisible();
    await expect.element(dialog.getByText(payoutLineTexts.owedAgain)).not.toBeInTheDocument();
    await found.getByRole("button", { name: "Choose Ada Obi, GP-2B3C-4D5E" }).click();
    await expect.poll(() => sentTo("bank.match")).toMatchObject([{ parts: [part] }, { parts: [part] }]);
  });

  test("is a payout that came back for less: the difference stands there as charges before it is said", async () => {
    const less: Line["candidates"][number] = {
      kind: "returned",
      rule: "came_back",
      isSure: false,
      why: payoutLineTexts.cameBackShort(499_946_25n, 500_000_00n),
      amountKobo: 500_000_00n,
      payout: { ...payout, state: "paid" },
      part: { kind: "returned", amountKobo: 499_946_25n, payoutId: 4 },
    };
    const { sentTo } = await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": { ...line, amountKobo: 499_946_25n, candidates: [less] },
      "bank.match": undefined,
    });
    await press("GP-2B3C-4D5E came back");
    await expect.element(dialog.getByText(payoutLineTexts.cameBackLess(499_946_25n, 500_000_00n))).toBeVisible();
    await fitsPhone();
    await press("It came back");
    await tells("Matched");
    expect(sentTo("bank.match")).toMatchObject([
      { parts: [{ kind: "returned", amountKobo: 499_946_25n, payoutId: 4, reason: "", isAccountWrong: false }] },
    ]);
  });

  /** A sale of a harvest of which ₦500,000 are missing. */
  const sale = {
    id: 8,
    buyer: "Ibadan Fish Market",
    projectTitle: "Ponds at Epe",
    round: 1,
    number: 2,
    isInsurance: false,
    amountKobo: 600_000_00n,
    declaredAt: null,
    missingKobo: 500_000_00n,
  };

  test("is money of a harvest: a sale that is suggested or found", async () => {
    const ofSale: Line["candidates"][number] = {
      ...candidate,
      kind: "sale",
      rule: "amount",
      sale,
      why: candidateTexts.sale,
      part: { kind: "sale", amountKobo: 500_000_00n, saleId: 8 },
    };
    const { sentTo } = await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": { ...line, candidates: [ofSale] },
      "bank.sales": [{ ...sale, id: 9, buyer: "Hotel Ondo", missingKobo: 200_000_00n }],
      "bank.match": undefined,
    });
    await expect
      .element(dialog.getByText("Harvest 2 of Ponds at Epe. ₦500,000.00 of ₦600,000.00 missing."))
      .toBeVisible();
    await press("Choose Ibadan Fish Market");
    await expect.poll(() => sentTo("bank.match")).toHaveLength(1);
    await press("Sale of a harvest");
    await press("Choose Hotel Ondo, Harvest 2 of Ponds at Epe");
    await expect.poll(() => sentTo("bank.match")).toHaveLength(2);
    expect(sentTo("bank.match")).toMatchObject([
      { parts: [ofSale.part] },
      { parts: [{ kind: "sale", amountKobo: 200_000_00n, saleId: 9 }] },
    ]);
  });

  test("is money that went out for a harvest: a cost, or tax that is passed on", async () => {
    const { sentTo } = await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": { ...line, amountKobo: -500_000_00n },
      "bank.harvests": [{ ...sale, id: 3, unseenKobo: 1850_00n }],
      "bank.match": undefined,
    });
    await press("Cost of a harvest");
    await expect.element(dialog.getByText(/^₦1,850\.00 of its costs/)).toBeVisible();
    await press("Choose Harvest 2 of Ponds at Epe");
    await expect.poll(() => sentTo("bank.match")).toHaveLength(1);
    await press("VAT passed on");
    await expect.poll(() => sentTo("bank.match")).toHaveLength(2);
    await press("Withheld tax passed on");
    await expect.poll(() => sentTo("bank.match")).toHaveLength(3);
    expect(sentTo("bank.match")).toMatchObject([
      { parts: [{ kind: "harvest_cost", amountKobo: 500_000_00n, harvestId: 3 }] },
      { parts: [{ kind: "vat", amountKobo: 500_000_00n }] },
      { parts: [{ kind: "wht", amountKobo: 500_000_00n }] },
    ]);
  });

  test("that the bank took back is chosen, or a second person asked to book it as a loss", async () => {
    const takenBack: Line["candidates"][number] = {
      ...candidate,
      kind: "taken_back",
      rule: "taken_back",
      why: "The bank took this money back.",
      part: { kind: "taken_back", amountKobo: 500_000_00n, paymentId: 5, creditMatchId: 3 },
    };
    const { sentTo } = await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": { ...line, amountKobo: -500_000_00n, candidates: [takenBack] },
      "secondPerson.ask": undefined,
    });
    await press("Book GONA-7K3P-9Q2M as a loss");
    await askAnotherOwner("The refund was sent on Tuesday, the bank took it back on Friday.");
    expect(sentTo("secondPerson.ask")).toMatchObject([
      { kind: "book_loss", details: { lineId: 7, paymentId: 5, amountKobo: "50000000" } },
    ]);
  });

  test("that takes two people is sent to another owner from the same place, with the reason typed once", async () => {
    const why = "This takes a second person. Money out as the company's own needs two owners from ₦1,000,000 on.";
    const { answers, sentTo } = await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": { ...line, amountKobo: -2_000_000_00n },
      "bank.match": refusal("conflict", 409, why, { details: { needs: "second_person" } }),
    });
    answers["secondPerson.ask"] = () => {
      answers["secondPerson.list"] = { requests: [asked("match_line")] };
    };
    await press("The company's own money…");
    await dialog.getByLabelText("Reason").fill("The company's fees of the whole year");
    await press("Book ₦2,000,000.00");
    await expect.element(dialog.getByText(why)).toBeVisible();
    await expect.element(dialog.getByLabelText("Reason")).toHaveValue("The company's fees of the whole year");
    await userEvent.keyboard("{Escape}");
    await expect.element(dialog.getByRole("region", { name: "To match" })).toHaveFocus();
    await press("The company's own money…");
    await dialog.getByLabelText("Reason").fill("The company's fees of the whole year");
    await press("Book ₦2,000,000.00");
    await press("Send to another owner");
    await tells("Another owner is asked to confirm");
    const reason = "The company's fees of the whole year";
    expect(sentTo("secondPerson.ask")).toEqual([
      {
        kind: "match_line",
        details: { lineId: 7, seenMatchedKobo: "0", parts: [{ kind: "operator", amountKobo: "200000000", reason }] },
        reason,
      },
    ]);
    await expect.element(dialog.getByText("Another owner is asked what it is")).toBeVisible();
    // Meanwhile the line can still be explained in another way.
    await expect.element(dialog.getByRole("button", { name: "Bank charges" })).toBeVisible();
  });

  test("that the bank took back names the credit that brought it", async () => {
    const { sentTo } = await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": { ...line, amountKobo: -500_000_00n },
      "bank.credits": [
        {
          creditMatchId: 3,
          paymentId: 5,
          reference: "GONA-7K3P-9Q2M",
          status: "pending",
          backerName: "Adaeze Okafor",
          projectTitle: "Ponds at Epe",
          date: "2026-11-17",
          narration: "NIP/ACCESS/ADAEZE",
          standsKobo: 450_000_00n,
        },
      ],
      "bank.match": undefined,
    });
    await press("Reversed by the bank");
    await press(`Choose Adaeze Okafor, GONA-7K3P-9Q2M, ${formatDay("2026-11-17")}`);
    await expect.poll(() => sentTo("bank.match")).toHaveLength(1);
    expect(sentTo("bank.match")).toMatchObject([
      { parts: [{ kind: "taken_back", amountKobo: 450_000_00n, paymentId: 5, creditMatchId: 3 }] },
    ]);
  });

  test("that isn't there is said to be so", async () => {
    await openScreen("/admin/bank?line=7", {
      ...filled,
      "bank.line": refusal("not_found", 404, "This line no longer exists."),
    });
    await expect.element(dialog.getByText("This line no longer exists.")).toBeVisible();
  });
});

const sure: RouterOutputs["bank"]["listSurePayments"] = [
  {
    paymentId: 5,
    reference: "GONA-7K3P-9Q2M",
    backerName: "Adaeze Okafor",
    projectTitle: "Ponds at Epe",
    amountKobo: 1_200_000_00n,
    lots: 3,
    hasReceipt: true,
    arrivedOn: "2026-11-18",
    isByHand: false,
    isUnnamed: false,
    hasLots: true,
  },
  {
    paymentId: 6,
    reference: "GONA-2222-3333",
    backerName: "Efe Okoro",
    projectTitle: "Ponds at Epe",
    amountKobo: 400_000_00n,
    lots: 1,
    hasReceipt: false,
    arrivedOn: "2026-11-19",
    isByHand: true,
    isUnnamed: true,
    hasLots: false,
  },
];

describe("bank charges", () => {
  const stamp = { id: 20, date: "2026-11-18", narration: "STAMP DUTY", amountKobo: 50_00n };
  const alert = { id: 21, date: "2026-11-19", narration: "SMS ALERT CHARGE", amountKobo: 4_00n };
  const texts = ["STAMP DUTY", "SMS ALERT CHARGE"];

  test("are matched at once in three presses, and told of one by one where it takes two", async () => {
    const { answers, sentTo } = await openScreen("/admin/bank", {
      ...filled,
      "bank.charges": { texts, lines: [stamp, alert] },
      "bank.matchCharges": () => {
        answers["bank.charges"] = { texts, lines: [] };
        return { matched: 1, matchedKobo: 4_00n, refused: [{ lineId: 20, why: "This takes a second person." }] };
      },
    });
    await says("2 lines look like bank charges. They have a text that this account's bank writes of them.");
    await press("Match 2 bank charges");
    await expect.element(dialog.getByText(/^₦54\.00 that the bank took/)).toBeVisible();
    await press("Match as bank charges");
    await says("₦4.00 of bank charges. 1 line stays as before.");
    await says("This takes a second person.");
    expect(sentTo("bank.matchCharges")).toEqual([{ lineIds: [20, 21] }]);
    await fitsPhone();
    await press("Done");
    await expect.element(page.getByRole("button", { name: "Texts of bank charges" })).toBeVisible();
  });

  test("are known by texts of the account, each on a line", async () => {
    const { sentTo } = await openScreen("/admin/bank", { ...filled, "bank.changeChargeTexts": undefined });
    await press("Texts of bank charges");
    const field = dialog.getByLabelText("Texts of bank charges on this account");
    await expect.element(field).toHaveValue("STAMP DUTY\nSMS ALERT CHARGE");
    await field.fill("STAMP DUTY\nx");
    await expect.element(dialog.getByText("Each line has 3 to 60 characters")).toBeVisible();
    await field.fill("STAMP DUTY\n COT \n\n");
    await press("Save the texts");
    await tells("Texts saved");
    expect(sentTo("bank.changeChargeTexts")).toEqual([{ accountId: 1, texts: ["STAMP DUTY", "COT"] }]);
  });
});

describe("sure matches", () => {
  test("are looked at, confirmed at once, and told of one by one where it fails", async () => {
    const readAgain = Promise.withResolvers<[]>();
    const { answers, sentTo } = await openScreen("/admin/bank", {
      ...filled,
      "bank.listSurePayments": sure,
      "bank.confirmSurePayments": () => {
        answers["bank.listSurePayments"] = () => readAgain.promise;
        const why = "This payment was changed in the meantime.";
        return { approved: 0, refundsDue: 1, refused: [{ paymentId: 5, why }] };
      },
    });
    await press("Confirm 2 sure matches");
    await expect.element(dialog.getByText(/^₦1,600,000\.00 arrived, of each payment the whole amount/)).toBeVisible();
    await expect.element(dialog.getByText("Lots are gone: becomes a refund due")).toBeVisible();
    await expect.element(dialog.getByText("Matched by hand")).toBeVisible();
    await expect.element(dialog.getByText("The line doesn't name the backer")).toBeVisible();
    await press("Approve 2 payments");
    await hasHeading("Sure matches confirmed");
    await says("1 refund is due, because the lots were gone. 1 payment stays as before.");
    await says("Adaeze Okafor, GONA-7K3P-9Q2M");
    await says("This payment was changed in the meantime.");
    expect(sentTo("bank.confirmSurePayments")).toEqual([{ paymentIds: [5, 6] }]);
    // Nobody waits here for the screens behind it, which are still being read again.
    await press("Done");
    await expect.element(dialog).not.toBeInTheDocument();
    readAgain.resolve([]);
    await expect.element(page.getByRole("button", { name: /^Confirm/ })).not.toBeInTheDocument();
  });

  test("that can't be confirmed stay to be tried again", async () => {
    await openScreen("/admin/bank", {
      ...filled,
      "bank.listSurePayments": sure.slice(0, 1),
      "bank.confirmSurePayments": serverFault,
    });
    await press("Confirm 1 sure match");
    await press("Approve 1 payment");
    await alerts("The sure matches were not confirmed");
    await expect.element(dialog.getByRole("button", { name: "Approve 1 payment" })).toBeEnabled();
  });

  test("are nothing for those who may only look", async () => {
    const { calls } = await openScreen("/admin/bank", {
      ...filled,
      "bank.overview": { ...overview, canImport: false },
    });
    await expect.element(lineRow("SMS ALERT CHARGE")).toBeVisible();
    expect(calls).not.toContain("bank.listSurePayments");
  });
});

describe("an import", () => {
  const statement = () => new File(["Date,Narration\n"], "november.csv", { type: "text/csv" });
  const table = {
    rows: [
      ["Access Bank", "", "", "", ""],
      ["POST DATE", "NARRATION", "DEBIT AMT", "CREDIT AMT", "BALANCE"],
      ["18/11/2026", "NIP/ADAEZE", "", "500,000.00", "1,250,000.00"],
    ],
    mapping: {
      titles: ["POST DATE", "NARRATION", "DEBIT AMT", "CREDIT AMT", "BALANCE"],
      date: 0,
      valueDate: null,
      narration: 1,
      reference: null,
      balance: 4,
      money: { kind: "two_columns", debit: 2, credit: 3 },
      dayOrder: "by_file",
    },
    headingRow: 2,
    bank: "Access Bank",
  };
  const counted = {
    lines: 312,
    newLines: 287,
    knownLines: 25,
    firstDay: "2026-11-01",
    lastDay: "2026-11-20",
    leftOut: { failed: 1, pending: 0, reversed: 0, zero: 0, other: 4 },
    notes: [
      "1 row is left out because the bank says it failed.",
      "No day of this file is above 12, so it can't tell days from months. The day was read first.",
    ],
  };
  const asks = { kind: "asks", ...counted, mapping: null, opening: false, rewritten: null, gaps: [] };
  const imported = { kind: "imported", ...counted, statementId: 1 };
  const openImport = async (given: Answers = {}) => {
    const screen = await openScreen("/admin/bank", { ...filled, ...given });
    await press("Import a statement");
    await chooseFiles(fileField, statement());
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await expect.poll(() => screen.uploads.length).toBe(1);
    return screen;
  };
  const fieldsOf = (form: FormData) => Object.fromEntries([...form.entries()].filter(([name]) => name !== "file"));

  test("shows how far it is, and what came of it", async () => {
    const { uploads, calls, answers } = await openImport();
    uploads[0]?.reach(40);
    await says("Sending the statement…");
    await says("40%");
    uploads[0]?.reach(100);
    await says("Reading…");
    calls.length = 0;
    answers["bank.listSurePayments"] = sure;
    answers["bank.importProgress"] = { newLines: 287, matchedLines: 120, isDone: false };
    uploads[0]?.answer(200, imported);
    await says("312 lines: 287 new, 25 known.");
    await says("Sure lines are being matched: 120 of 287 new lines so far.");
    answers["bank.importProgress"] = { newLines: 287, matchedLines: 260, isDone: true };
    await says("260 of 287 new lines are matched. The others wait for you.");
    await says("1 Nov 2026 to 20 Nov 2026");
    await says("4 rows hold no money and are left out: blank ones, headings, totals and words.");
    await says("1 row is left out because the bank says it failed.");
    await expect.element(dialog.getByText(/^No day of this file is above 12/)).toBeVisible();
    await expect.poll(() => calls).toContain("bank.overview");
    await dialog.getByRole("button", { name: "Confirm 2 sure matches" }).click();
    await hasHeading("Confirm 2 sure matches?");
    await press("Not now");
    await expect.element(dialog).not.toBeInTheDocument();
    expect(fieldsOf(uploads[0]?.form ?? new FormData())).toEqual({ accountId: "1" });
  });

  test("asks for columns, opening balance and gaps, and sends the same file with the answers", async () => {
    const { uploads } = await openImport();
    uploads[0]?.answer(200, { ...asks, mapping: table, opening: true });
    await expect.element(dialog.getByRole("cell", { name: "NIP/ADAEZE" })).toBeVisible();
    await expect.element(dialog.getByLabelText("Money in (credit)")).toHaveValue("3");
    await dialog.getByLabelText("Balance (optional)").selectOptions("None");
    await dialog.getByLabelText("Money out (debit)").selectOptions("4: CREDIT AMT");
    await press("Yes, go on");
    await says("This column is chosen twice");
    await dialog.getByLabelText("Money out (debit)").selectOptions("3: DEBIT AMT");
    await press("Yes, go on");
    await expect.poll(() => uploads.length).toBe(2);
    const mapping = { ...table.mapping, balance: null };
    expect(JSON.parse(String(uploads[1]?.form.get("mapping")))).toEqual(mapping);
    const gaps = [{ fromDate: "2026-11-03", toDate: "2026-11-05", missingKobo: "1840000" }];
    uploads[1]?.answer(200, { ...asks, opening: true, gaps });
    await expect
      .element(dialog.getByText("₦18,400.00 came in between 3 Nov 2026 and 5 Nov 2026, and no line says so."))
      .toBeVisible();
    await press("Import 287 new lines");
    await says("Enter the balance before the first line");
    await says("Please say why");
    await dialog.getByLabelText("Balance before the first line, 1 Nov 2026").fill("1,000,000.00");
    await dialog.getByLabelText("Why are these days left out?").fill("The bank can't export them");
    await press("Import 287 new lines");
    await expect.poll(() => uploads.length).toBe(3);
    expect(fieldsOf(uploads[2]?.form ?? new FormData())).toEqual({
      accountId: "1",
      mapping: JSON.stringify(mapping),
      openingNaira: "1,000,000.00",
      gapReason: "The bank can't export them",
    });
    expect(uploads[2]?.form.get("file")).toMatchObject({ name: "november.csv" });
    uploads[2]?.answer(200, imported);
    await says("312 lines: 287 new, 25 known.");
    await press("See the lines");
    await expect.element(dialog).not.toBeInTheDocument();
  });

  test("asks once whether lines with other texts are known ones, and shows both", async () => {
    const { uploads } = await openImport();
    const line = { date: "2026-11-25", amountKobo: "1000000", before: "NIP INWARD", now: "NIP/ZENITH/MARY JANE" };
    const gaps = [{ fromDate: "2026-11-03", toDate: "2026-11-05", missingKobo: "1840000" }];
    uploads[0]?.answer(200, { ...asks, rewritten: { count: 1, lines: [line] }, gaps });
    await says("Is this the line of 25 Nov 2026 that you have?");
    await says("25 Nov 2026, ₦10,000.00 in");
    await says("NIP INWARD");
    await says("NIP/ZENITH/MARY JANE");
    await press("Yes, the same line");
    await expect.poll(() => uploads.length).toBe(2);
    expect(fieldsOf(uploads[1]?.form ?? new FormData())).toEqual({ accountId: "1", sameLines: "yes" });
    const outgoing = { ...line, amountKobo: "-5000" };
    uploads[1]?.answer(200, { ...asks, rewritten: { count: 60, lines: [line, outgoing] } });
    await says("Are these 60 lines those that you have?");
    await says("25 Nov 2026, ₦50.00 out");
    await says("and 58 more");
    await press("No, other transfers");
    await expect.poll(() => uploads.length).toBe(3);
    expect(fieldsOf(uploads[2]?.form ?? new FormData())).toEqual({ accountId: "1", sameLines: "no" });
    uploads[2]?.answer(200, imported);
    await says("312 lines: 287 new, 25 known.");
  });

  test("a file with one fault says it at once, and what to do; then another can be chosen", async () => {
    const { uploads } = await openImport();
    const pdf = { row: null, text: "A PDF can't be read. Ask your bank for CSV, Excel or MT940." };
    uploads[0]?.answer(200, { kind: "refused", faults: [pdf], moreFaults: 0, table: null });
    await expect.element(dialog.getByRole("alert").getByText(pdf.text)).toBeVisible();
    await expect.element(dialog.getByRole("list", { name: "What is wrong with the file" })).not.toBeInTheDocument();
    await press("Remove november.csv");
    await chooseFiles(fileField, new File(["x"], "other.csv"));
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await expect.poll(() => uploads.length).toBe(2);
    expect(uploads[1]?.form.get("file")).toMatchObject({ name: "other.csv" });
  });

  test("a refused file names its rows, and its columns can be told", async () => {
    const { uploads } = await openImport();
    uploads[0]?.answer(200, {
      kind: "refused",
      faults: [
        { row: 14, text: "Row 14: “31/02/2026” is not a date." },
        { row: 20, text: "Row 20: there is a date, but no amount." },
      ],
      moreFaults: 3,
      table: { ...table, mapping: null, headingRow: null, bank: null },
    });
    await says("Nothing was imported");
    await says("Row 14: “31/02/2026” is not a date.");
    await says("and 3 more");
    await press("Say which column is which");
    await press("Read it so");
    await says("Choose a column");
    await dialog.getByLabelText("Row of the headings").selectOptions("2");
    for (const [label, column] of [
      ["Date", "1: POST DATE"],
      ["Narration", "2: NARRATION"],
      ["Money out (debit)", "3: DEBIT AMT"],
      ["Money in (credit)", "4: CREDIT AMT"],
    ] as const)
      await dialog.getByLabelText(label, { exact: true }).selectOptions(column);
    await press("Read it so");
    await expect.poll(() => uploads.length).toBe(2);
    expect(JSON.parse(String(uploads[1]?.form.get("mapping")))).toMatchObject({
      titles: table.rows[1],
      money: { kind: "two_columns", debit: 2, credit: 3 },
    });
  });

  test("a lost connection and the server's refusal keep the file", async () => {
    const { uploads } = await openImport();
    uploads[0]?.lose();
    await expect.element(dialog.getByText(/^Your file is still chosen here\./)).toBeVisible();
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await expect.poll(() => uploads.length).toBe(2);
    uploads[1]?.answer(409, { error: { reason: "conflict", message: "Another import is running." } });
    await expect.element(dialog.getByText("Another import is running.")).toBeVisible();
  });

  test("is stopped on its way", async () => {
    const { uploads } = await openImport();
    uploads[0]?.reach(40);
    await press("Cancel upload");
    await expect.poll(() => uploads[0]?.isStopped).toBe(true);
    await expect.element(dialog.getByRole("button", { name: "Import", exact: true })).toBeVisible();
  });

  test("wants a file, and none that is too large", async () => {
    const { uploads } = await openScreen("/admin/bank", filled);
    await press("Import a statement");
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await says("Please choose the bank's statement");
    await chooseFiles(fileField, new File([new Uint8Array(10 * 1024 * 1024 + 1)], "big.csv"));
    await says("A statement is at most 10 MB. Choose fewer days.");
    expect(uploads).toEqual([]);
  });

  test("a sample is there in local use only, and may fail", async () => {
    const { answers } = await openScreen("/admin/bank", filled, {
      "/bank/sample-statement": () => new Response("broken", { status: 500 }),
    });
    await press("Import a statement");
    await press("Download a sample statement");
    await alerts("The sample statement can't be downloaded");
    await userEvent.keyboard("{Escape}");
    answers["bank.overview"] = { ...overview, isLocalUse: false };
    await press("Refresh");
    await press("Import a statement");
    await expect.element(fileField).toBeInTheDocument();
    await expect.element(dialog.getByRole("button", { name: "Download a sample statement" })).not.toBeInTheDocument();
  });
});
