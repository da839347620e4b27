import { expect, test } from "vitest";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { formatNaira } from "#shared/money.ts";
import { ownStrikeTexts } from "#shared/payments/own-strikes-texts.ts";
import { strikeTexts as texts } from "#shared/payments/strikes-texts.ts";
import {
  type Answers,
  chooseFiles,
  dialog,
  fitsPhone,
  onPhone,
  openScreen,
  owner,
  press,
  refusal,
} from "#tests/support/app-screen.ts";
import { payment } from "#tests/support/screen-samples.ts";

/** An approved payment that an owner opens to strike it, and one that was struck. */

const lostKobo = 10_000_000n;
type Bank = NonNullable<RouterOutputs["payments"]["list"]["items"][number]["bank"]>;
const bank: Bank = {
  state: "part",
  need: "nothing",
  arrivedKobo: payment.amountKobo - lostKobo,
  missingKobo: lostKobo,
  strikableKobo: lostKobo,
  surplusKobo: 0n,
  returnableKobo: payment.amountKobo - lostKobo,
  smallRestKobo: 0n,
  lineIds: [],
  isUnnamed: false,
};
const reason = "The bank says that this transfer was never made.";
const fileId = "00000000-0000-4000-8000-000000000007";
const none: RouterOutputs["payments"]["details"] = { siteTerms: null, strikeRefusal: null, struck: null, evidence: [] };

async function openPayment(
  details: Answers["payments.details"],
  { more = {}, seen = bank }: { more?: Answers; seen?: Bank } = {},
) {
  const items = [{ ...payment, status: "approved" as const, bank: seen }];
  const screen = await openScreen("/admin/payments?status=approved", {
    ...owner,
    "payments.list": { items, nextCursor: null, canProcess: true, isBankKnown: true, unseenLimit: null },
    "payments.statusCounts": { pending: 0, approved: 1, rejected: 0, late: 0 },
    "payments.projects": { items: [] },
    "receipts.link": refusal("not_found", 404),
    "payments.details": details,
    ...more,
  });
  await press(`View Receipt of ${payment.backerName} for ${payment.projectTitle}`);
  return screen;
}
const strikeButton = dialog.getByRole("button", { name: "Strike the payment…" });
const send = dialog.getByRole("button", { name: "Send to another owner" });

test("an owner reads what is lost, adds what shows it with a reason, and sends it to another owner", async () => {
  await onPhone(async () => {
    const { uploads, answers, sentTo } = await openPayment(none, {
      more: { "secondPerson.ask": refusal("conflict", 409, texts.changed) },
    });
    await strikeButton.click();
    await expect
      .element(dialog.getByText(`${formatNaira(lostKobo)} is lost, and the company bears it. ${texts.effects[0]}`))
      .toBeVisible();
    await expect
      .element(dialog.getByText(`The other owner reads what it changes in figures. ${texts.effects[2]}`))
      .toBeVisible();
    await fitsPhone();
    await dialog.getByLabelText("Reason").fill(reason);
    await send.click();
    await expect.element(dialog.getByRole("alert").first()).toBeVisible();
    const file = new File(["%PDF-1.7"], "letter.pdf", { type: "application/pdf" });
    await chooseFiles(dialog.getByLabelText(/What shows it/), file);
    await send.click();
    await expect.poll(() => uploads[0]?.path).toBe("/uploads/payment-evidence");
    uploads[0]?.answer(200, { fileId });
    await expect.element(dialog.getByRole("alert").getByText(texts.changed)).toBeVisible();
    await expect.element(dialog.getByLabelText("Reason")).toHaveValue(reason);
    answers["secondPerson.ask"] = undefined;
    await send.click();
    const details = { paymentId: payment.id, lostKobo: String(lostKobo), fileIds: [fileId] };
    await expect.poll(() => sentTo("secondPerson.ask")).toEqual([{ kind: "strike_payment", details, reason }]);
    expect(uploads).toHaveLength(1);
  });
});

test.each([
  ["its approval can still be taken back", texts.takeBackInstead],
  ["a return is due to its backer", texts.returnFirst(lostKobo)],
])("while %s, the screen says what to do instead", async (_when, strikeRefusal) => {
  await openPayment({ ...none, strikeRefusal });
  await expect.element(dialog.getByText(`It never came, or the bank took it back? ${strikeRefusal}`)).toBeVisible();
  await expect.element(strikeButton).not.toBeInTheDocument();
});

test("where that couldn't be asked it is offered all the same: the server refuses what can't be done", async () => {
  await openPayment(refusal("invalid", 400));
  await expect.element(strikeButton).toBeVisible();
});

test("of a struck payment it is said when, why, what is lost, and by which files; nothing more is decided on it", async () => {
  const struck = { lostKobo, reason, struckAt: new Date("2026-11-27T09:00:00Z") };
  const evidence = [{ name: "letter.pdf", url: "/files/payment-evidence/1" }];
  const seen: Bank = { ...bank, state: "struck", missingKobo: 0n, strikableKobo: 0n };
  await openPayment({ ...none, strikeRefusal: texts.struckAlready, struck, evidence }, { seen });
  await expect.element(dialog.getByText(/^Struck on .*₦100,000 is lost$/)).toBeVisible();
  await expect.element(dialog.getByText(ownStrikeTexts.reason(reason))).toBeVisible();
  const link = dialog.getByRole("link", { name: "letter.pdf" });
  await expect.element(link).toHaveAttribute("href", "/files/payment-evidence/1");
  const arrived = `${formatNaira(bank.arrivedKobo)} of ${formatNaira(payment.amountKobo)}`;
  await expect.element(dialog.getByRole("definition").filter({ hasText: arrived })).toBeVisible();
  await expect.element(dialog.getByText(texts.over)).toBeVisible();
  for (const name of ["Reject…", "Set to pending…", /payment receipt/i, "Change of holder…", "Strike the payment…"]) {
    await expect.element(dialog.getByRole("button", { name })).not.toBeInTheDocument();
  }
});
