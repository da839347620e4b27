import { expect, onTestFinished, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { formatNaira } from "#shared/money.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { declareArrivedTexts, secondPersonTexts } from "#shared/second-person/texts.ts";
import {
  type Answers,
  alerts,
  dialog,
  fitsPhone,
  hasHeading,
  noConnection,
  onPhone,
  openScreen,
  owner,
  press,
  refusal,
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";
import { payment } from "#tests/support/screen-samples.ts";

/** The administrators' payments, where the server isn't reached, fails or has none. */

const other = { ...payment, id: 2, backerName: "Efe Okoro" };
const onePixel = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (letter) => letter.charCodeAt(0),
);
const none = { items: [], nextCursor: null, canProcess: true, isBankKnown: false, unseenLimit: null };
const link = {
  id: "1",
  url: "/files/receipts/1",
  contentType: "image/png",
  originalName: "transfer.png",
  sha256: "0".repeat(64),
  expiresAt: new Date("2099-01-01"),
};
const filled: Answers = {
  ...owner,
  "payments.list": { ...none, items: [payment, other] },
  "payments.statusCounts": { pending: 2, approved: 0, rejected: 0, late: 0 },
  "payments.projects": { items: [] },
  "receipts.link": link,
};
const statusOf = ({ backerName }: typeof payment) =>
  page.getByRole("row").filter({ hasText: backerName }).getByRole("combobox");
const viewReceipt = () => press(`View Receipt of ${payment.backerName} for ${payment.projectTitle}`);

test("the reason stays where the connection fails", async () => {
  await openScreen("/admin/payments?status=pending", { ...filled, "payments.setStatus": noConnection });
  await statusOf(payment).selectOptions("rejected");
  const reason = dialog.getByLabelText("Reason (optional)");
  await reason.fill("Cut off.");
  await dialog.getByRole("button", { name: "Reject payment" }).click();
  await expect.element(dialog.getByRole("alert").filter({ hasText: /Failed to update payment status/ })).toBeVisible();
  await expect.element(reason).toHaveValue("Cut off.");
});

test("every dropdown is locked while one status is set", async () => {
  const set = Promise.withResolvers<{ paymentId: number; projectId: number; status: "approved" }>();
  const { answers } = await openScreen("/admin/payments", { ...filled, "payments.setStatus": () => set.promise });
  await statusOf(payment).selectOptions("approved");
  await dialog.getByRole("button", { name: "Approve payment" }).click();
  for (const one of [payment, other]) await expect.element(statusOf(one)).toBeDisabled();
  answers["payments.list"] = { ...none, items: [other] };
  set.resolve({ paymentId: payment.id, projectId: 1, status: "approved" });
  await tells("Payment status updated to approved");
  await expect.element(statusOf(other)).toBeEnabled();
});

test("a receipt's file that isn't there is said to be so, also by the download", async () => {
  await openScreen("/admin/payments", filled, { [link.url]: () => new Response(null, { status: 404 }) });
  await viewReceipt();
  await expect.element(dialog.getByText("Could not load receipt image")).toBeVisible();
  await expect.element(dialog.getByRole("button", { name: "Approve…" })).toBeDisabled();
  await dialog.getByRole("button", { name: "Download Receipt" }).click();
  await alerts("Download Failed");
});

test("a receipt's file that is no picture is said to be so", async () => {
  await openScreen("/admin/payments", filled, { [link.url]: () => new Response("no picture") });
  await viewReceipt();
  await alerts("Image Error");
  await expect.element(dialog.getByText("Could not load receipt image")).toBeVisible();
});

test.each([
  ["fails", serverFault, "Could not access receipt image"],
  ["has none", refusal("not_found", 404), "No receipt available for this payment"],
] as const)("a receipt that the server %s is told of", async (_, answer, text) => {
  await openScreen("/admin/payments", { ...filled, "receipts.link": answer });
  await viewReceipt();
  await expect.element(dialog.getByText(text)).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
});

test("nothing moves under a thumb when the receipt comes, and nobody decides before", async () => {
  const onItsWay = Promise.withResolvers<void>();
  await openScreen("/admin/payments", filled, {
    [link.url]: () => onItsWay.promise.then(() => new Response(onePixel)),
  });
  await onPhone(async () => {
    await viewReceipt();
    const approve = dialog.getByRole("button", { name: "Approve…" });
    await expect.element(approve).toBeDisabled();
    const download = dialog.getByRole("button", { name: "Download Receipt" }).element();
    const before = download.getBoundingClientRect().top;
    onItsWay.resolve();
    await expect.element(dialog.getByRole("img", { name: /^Receipt of/ })).toBeVisible();
    await expect.element(approve).toBeEnabled();
    expect(download.getBoundingClientRect().top).toBe(before);
  });
});

test("payments that can't be fetched come with another try", async () => {
  const { answers } = await openScreen("/admin/payments", { ...filled, "payments.list": serverFault });
  await hasHeading("Failed to fetch payments");
  answers["payments.list"] = filled["payments.list"];
  await press("Try again");
  await expect.element(statusOf(payment)).toBeVisible();
});

test("there may be none, of a status or at all", async () => {
  await openScreen("/admin/payments?status=pending", { ...filled, "payments.list": none });
  await hasHeading("No pending payments");
  await page.getByRole("link", { name: "Show all payments" }).click();
  await hasHeading("No payments yet");
});

test("there may be none of those that the filters ask for", async () => {
  await openScreen("/admin/payments?status=approved&bank=struck", { ...filled, "payments.list": none });
  await hasHeading("No payments match these filters");
  await page.getByRole("link", { name: "Show all payments" }).click();
  await hasHeading("No payments yet");
});

const bank = {
  state: "not_seen" as const,
  need: "reason" as const,
  arrivedKobo: 0n,
  missingKobo: payment.amountKobo,
  strikableKobo: 0n,
  surplusKobo: 0n,
  returnableKobo: 0n,
  smallRestKobo: 0n,
  lineIds: [],
  isUnnamed: false,
};
type Seen = NonNullable<typeof payment.bank>;
const withBank = (seen: Partial<Seen>, more: Partial<typeof payment> = {}): typeof payment => ({
  ...payment,
  ...more,
  bank: { ...bank, ...seen },
});
const part = {
  state: "part",
  arrivedKobo: 460_000_000n,
  missingKobo: 10_000_000n,
  returnableKobo: 460_000_000n,
} as const;
const inBank = {
  ...({ state: "in_bank", need: "nothing", arrivedKobo: payment.amountKobo, missingKobo: 0n } as const),
  returnableKobo: payment.amountKobo,
};
const known = (...items: (typeof payment)[]): Answers => ({
  ...filled,
  "payments.list": { ...none, isBankKnown: true, items },
});
/** Answers a decision with its status, and keeps its input. */
const keep = (set: unknown[], status: "approved" | "rejected") => (input: unknown) => {
  set.push(input);
  return { paymentId: payment.id, projectId: 1, status };
};
const reasonField = dialog.getByLabelText("Why do you approve it?");

test("each payment says what the bank shows of it, with a way to the lines, and is filtered by it", async () => {
  const partly = withBank({ ...part, lineIds: [41, 42] }, { id: 2, backerName: "Efe Okoro" });
  const { sentTo } = await openScreen("/admin/payments", {
    ...filled,
    "payments.list": { ...none, isBankKnown: true, items: [withBank({ ...inBank, lineIds: [40] }), partly] },
  });
  await fitsPhone();
  const rowOf = (name: string) => page.getByRole("row").filter({ hasText: name });
  await expect.element(rowOf(payment.backerName).getByText("In the bank")).toBeVisible();
  await expect.element(rowOf("Efe Okoro").getByText("Part: ₦4,600,000 of ₦4,700,000")).toBeVisible();
  await viewReceipt();
  await expect
    .element(dialog.getByRole("link", { name: "See the line" }))
    .toHaveAttribute("href", "/admin/bank?line=40");
  await dialog.getByRole("button", { name: "Next" }).click();
  await expect.element(dialog.getByRole("link", { name: "Line 2" })).toHaveAttribute("href", "/admin/bank?line=42");
  await userEvent.keyboard("{Escape}");
  await page.getByRole("link", { name: "Not on a statement yet" }).click();
  await expect.poll(() => sentTo("payments.list").at(-1)).toMatchObject({ bank: "not_seen" });
});

test("what the bank shows wholly is approved without more, and what more came is named", async () => {
  const set: unknown[] = [];
  const { answers } = await openScreen("/admin/payments", known(withBank({ ...inBank, surplusKobo: 70_000n })));
  await expect
    .element(page.getByRole("table").getByText("In the bank: ₦4,700,700 came, ₦700 more than needed"))
    .toBeInTheDocument();
  await statusOf(payment).selectOptions("approved");
  await expect.element(dialog.getByText("In the bank: ₦4,700,000 of ₦4,700,000")).toBeVisible();
  await expect.element(dialog.getByText(/₦700 more arrived than was due/)).toBeVisible();
  await expect.element(reasonField).not.toBeInTheDocument();
  answers["payments.setStatus"] = keep(set, "approved");
  await dialog.getByRole("button", { name: "Approve payment" }).click();
  await tells("Payment status updated to approved");
  expect(set).toMatchObject([{ paymentId: payment.id, status: "approved" }]);
  expect(set[0]).not.toHaveProperty("unseenReason");
});

test("what the bank doesn't show is approved with a reason", async () => {
  const set: unknown[] = [];
  const { answers } = await openScreen("/admin/payments", known(withBank({})));
  await statusOf(payment).selectOptions("approved");
  await expect.element(reasonField).toHaveFocus();
  await dialog.getByRole("button", { name: "Approve payment" }).click();
  await expect.element(dialog.getByText(paymentTexts.reasonMissing)).toBeVisible();
  await reasonField.fill("I saw it in the app.");
  answers["payments.setStatus"] = keep(set, "approved");
  await dialog.getByRole("button", { name: "Approve payment" }).click();
  await tells("Payment status updated to approved");
  expect(set).toMatchObject([{ unseenReason: "I saw it in the app." }]);
});

test("the only owner decides on their own payment with a reason, and asks nobody", async () => {
  const set: unknown[] = [];
  const own = withBank({ need: "second_person" }, { ownDecider: "alone" });
  const { answers } = await openScreen("/admin/payments", known(own));
  await statusOf(payment).selectOptions("approved");
  const why = dialog.getByLabelText(secondPersonTexts.ownReason);
  await why.fill("Too short");
  const approve = dialog.getByRole("button", { name: "Approve payment" });
  await approve.click();
  await expect.element(dialog.getByText(secondPersonTexts.reasonTooShort)).toBeVisible();
  await why.fill("Nobody else owns this site.");
  answers["payments.setStatus"] = keep(set, "approved");
  await fitsPhone();
  await approve.click();
  await tells("Payment status updated to approved");
  expect(set).toMatchObject([{ ownReason: "Nobody else owns this site." }]);
});

test("the only owner asks for what is written off of their own payment, to confirm it on the dashboard", async () => {
  const own = withBank(part, { ownDecider: "alone" });
  const { answers, sentTo } = await openScreen("/admin/payments", known(own));
  await statusOf(payment).selectOptions("approved");
  await dialog.getByLabelText(`Write the missing ${formatNaira(part.missingKobo)} off as bank charges`).click();
  await dialog.getByLabelText(secondPersonTexts.ownReason).fill("Our bank kept this for itself.");
  await fitsPhone();
  answers["secondPerson.ask"] = undefined;
  await dialog.getByRole("button", { name: "Ask, and confirm on the dashboard" }).click();
  await tells(secondPersonTexts.asked);
  expect(sentTo("secondPerson.ask")).toMatchObject([
    {
      kind: "approve_payment",
      reason: "Our bank kept this for itself.",
      details: { paymentId: payment.id, writtenOffKobo: String(part.missingKobo) },
    },
  ]);
});

test("an owner beside others reads that another decides on their own payment", async () => {
  await openScreen("/admin/payments", known(withBank({}, { ownDecider: "another" })));
  await statusOf(payment).selectOptions("approved");
  await expect.element(dialog.getByText(secondPersonTexts.ownMoney)).toBeVisible();
  await expect.element(dialog.getByRole("button", { name: "Approve payment" })).not.toBeInTheDocument();
});

test("a second person is asked for much that wasn't seen, or to write a rest off", async () => {
  const { answers, sentTo } = await openScreen("/admin/payments", known(withBank(part)));
  await statusOf(payment).selectOptions("approved");
  const ask = dialog.getByRole("button", { name: "Send to another owner" });
  await expect.element(ask).not.toBeInTheDocument();
  await dialog.getByLabelText("Write the missing ₦100,000 off as bank charges").click();
  await reasonField.fill("Too short");
  await ask.click();
  await expect.element(dialog.getByText(secondPersonTexts.reasonTooShort)).toBeVisible();
  await reasonField.fill("The bank abroad kept it, says its advice.");
  answers["secondPerson.ask"] = refusal("conflict", 409, secondPersonTexts.alreadyAsked);
  await ask.click();
  await alerts(secondPersonTexts.askFailed);
  await expect.element(reasonField).toHaveValue("The bank abroad kept it, says its advice.");
  answers["secondPerson.ask"] = undefined;
  await ask.click();
  await tells(secondPersonTexts.asked);
  expect(sentTo("secondPerson.ask")).toMatchObject([
    { kind: "approve_payment", details: { paymentId: payment.id, writtenOffKobo: "10000000" } },
  ]);
});

test("a rejection of money that arrived asks whether to give it back, and a reversal doesn't ask what came", async () => {
  const set: unknown[] = [];
  const approved = withBank(inBank, { id: 2, backerName: "Efe Okoro", status: "approved" });
  const { answers } = await openScreen("/admin/payments", known(withBank(part), approved));
  await statusOf(approved).selectOptions("pending");
  await expect.element(dialog.getByText("₦4,700,000 has arrived, and is kept for the backer.")).toBeVisible();
  await expect.element(dialog.getByLabelText("Arrived at the bank (optional)")).not.toBeInTheDocument();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await statusOf(payment).selectOptions("rejected");
  const giveBack = dialog.getByLabelText("Give ₦4,600,000 back now");
  await expect.element(giveBack).toBeChecked();
  await expect.element(dialog.getByText("₦4,600,000 will be returned to you", { exact: false })).toBeVisible();
  answers["payments.setStatus"] = keep(set, "rejected");
  await dialog.getByRole("button", { name: "Reject payment" }).click();
  await tells("Payment status updated to rejected");
  expect(set).toMatchObject([{ status: "rejected", isGivenBack: true }]);
});

test("what may be decided beside a receipt is written out, on a phone too", async () => {
  const approved = withBank(inBank, { status: "approved" });
  await openScreen("/admin/payments", known({ ...approved, receipt: null }));
  await press(`View Payment of ${payment.backerName} for ${payment.projectTitle}`);
  await expect.element(dialog.getByRole("button", { name: "Set to pending…" })).toBeVisible();
  const isCut = () =>
    [...document.querySelectorAll("[role=dialog] .mantine-Button-label")].some(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
    );
  const { innerWidth, innerHeight } = window;
  onTestFinished(() => page.viewport(innerWidth, innerHeight));
  for (const width of [360, 1280]) {
    await page.viewport(width, 800);
    await expect.poll(isCut, { message: `at ${width} px` }).toBe(false);
  }
});

test("a payment without a receipt says so, and its money is declared as arrived with a second person", async () => {
  const { answers, sentTo } = await openScreen("/admin/payments", known(withBank(part, { receipt: null })));
  await press(`View Payment of ${payment.backerName} for ${payment.projectTitle}`);
  await expect.element(dialog.getByText(paymentTexts.seenWithoutReceipt)).toBeVisible();
  await expect.element(dialog.getByRole("button", { name: "Download Receipt" })).not.toBeInTheDocument();
  await dialog.getByRole("button", { name: "Declare as arrived…" }).click();
  const amount = dialog.getByLabelText("Arrived at the bank");
  await expect.element(amount).toHaveFocus();
  const ask = dialog.getByRole("button", { name: "Send to another owner" });
  await amount.fill("100,001");
  await dialog.getByLabelText("Reason").fill("It stands in the old account's book.");
  await ask.click();
  await expect.element(dialog.getByText(declareArrivedTexts.tooMuch("₦100,000"))).toBeVisible();
  await amount.fill("100,000");
  answers["secondPerson.ask"] = undefined;
  await ask.click();
  await tells(secondPersonTexts.asked);
  expect(sentTo("secondPerson.ask")).toMatchObject([
    { kind: "declare_arrived", details: { paymentId: payment.id, amountKobo: "10000000" } },
  ]);
});

test("a refund is taken back with a reason that a failure keeps, and held money is given back", async () => {
  const refund = { id: 9, paymentId: payment.id, amountKobo: 70_000n, reason: "surplus" as const };
  const due = withBank(inBank, {
    receipt: null,
    status: "approved" as const,
    refundDue: "surplus" as const,
    refundKobo: 70_000n,
    refunds: [{ ...refund, createdAt: payment.submittedAt }],
  });
  const view = () => press(`View Payment of ${payment.backerName} for ${payment.projectTitle}`);
  const { answers } = await openScreen("/admin/payments", known(due));
  await view();
  await expect.element(dialog.getByText("₦700 more arrived than was due, and is owed to the backer.")).toBeVisible();
  for (const name of ["Payment receipt of this payment", "Refund note of ₦700"]) {
    await expect.element(dialog.getByRole("button", { name })).toBeVisible();
  }
  await dialog.getByRole("button", { name: "Take back…" }).click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  await dialog.getByRole("button", { name: "Take back…" }).click();
  const submit = dialog.getByRole("button", { name: "Take the refund back" });
  await expect.element(dialog.getByLabelText("Reason")).toHaveFocus();
  await expect.element(submit).toBeInViewport({ ratio: 1 });
  await submit.click();
  await expect.element(dialog.getByText(paymentTexts.reasonMissing)).toBeVisible();
  answers["payments.takeRefundBack"] = refusal("not_found", 404, paymentTexts.refundGone);
  await dialog.getByLabelText("Reason").fill("The backer wants to keep it here.");
  await submit.click();
  await expect.element(dialog.getByText(paymentTexts.refundGone)).toBeVisible();
  const held = withBank(inBank, { receipt: null, status: "approved", unallocatedKobo: 70_000n });
  answers["payments.takeRefundBack"] = () => {
    answers["payments.list"] = { ...none, isBankKnown: true, items: [held] };
    return undefined;
  };
  await submit.click();
  await tells(paymentTexts.refundTakenBack);
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText("Surplus, refund due")).not.toBeInTheDocument();
  await expect.element(page.getByText("₦700 held")).toBeVisible();
  await view();
  await dialog.getByRole("button", { name: "Give the money back…" }).click();
  answers["payments.giveUnallocatedBack"] = undefined;
  await page.getByRole("button", { name: "Give the money back", exact: true }).click();
  await tells(paymentTexts.givenBack);
});

test("money that no line names is rejected without giving it back, and then another owner is asked", async () => {
  const unnamed = withBank({ ...part, isUnnamed: true });
  const { answers, sentTo } = await openScreen("/admin/payments", known(unnamed));
  await statusOf(payment).selectOptions("rejected");
  await expect.element(dialog.getByLabelText("Give ₦4,600,000 back now")).toBeDisabled();
  await expect.element(dialog.getByText(paymentTexts.unnamedRejected)).toBeVisible();
  const rejected = { ...unnamed, status: "rejected" as const, unallocatedKobo: 460_000_000n, receipt: null };
  answers["payments.setStatus"] = () => {
    answers["payments.list"] = { ...none, isBankKnown: true, items: [rejected] };
    return { paymentId: payment.id, projectId: 1, status: "rejected" };
  };
  await dialog.getByRole("button", { name: "Reject payment" }).click();
  await tells("Payment status updated to rejected");
  expect(sentTo("payments.setStatus")).toMatchObject([{ status: "rejected", isGivenBack: false }]);
  await press(`View Payment of ${payment.backerName} for ${payment.projectTitle}`);
  await dialog.getByRole("button", { name: "Give the money back…" }).click();
  await expect.element(dialog.getByText(paymentTexts.unnamed)).toBeVisible();
  await dialog.getByLabelText("Reason").fill("He showed us the transfer in his bank's app.");
  answers["secondPerson.ask"] = undefined;
  await dialog.getByRole("button", { name: "Send to another owner" }).click();
  await tells(secondPersonTexts.asked);
  expect(sentTo("secondPerson.ask")).toMatchObject([
    { kind: "give_unallocated_back", details: { paymentId: payment.id, seenUnallocatedKobo: "460000000" } },
  ]);
});

test("what is late is a list of its own, with the day that was promised", async () => {
  const late = { ...payment, reviewBy: new Date("2026-11-24T23:00:00Z"), late: "review" as const };
  const unseen = { ...other, status: "approved" as const, late: "unseen" as const };
  const { answers, sentTo } = await openScreen("/admin/payments", {
    ...filled,
    "payments.statusCounts": { pending: 2, approved: 0, rejected: 0, late: 2 },
  });
  answers["payments.list"] = { ...none, items: [late, unseen] };
  await page.getByRole("link", { name: "Late 2" }).click();
  await expect.element(page.getByRole("cell", { name: /^24 Nov/ })).toBeVisible();
  await expect.element(page.getByRole("cell", { name: "Not seen" })).toBeVisible();
  expect(sentTo("payments.list").at(-1)).toMatchObject({ late: true });
  answers["payments.list"] = none;
  await press("Refresh Data");
  await hasHeading("Nothing is late");
});
