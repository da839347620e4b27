import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { holderChangeTexts as texts } from "#shared/payments/holder-changes-texts.ts";
import {
  type Answers,
  alerts,
  backer,
  chooseFiles,
  dialog,
  fitsPhone,
  hasHeading,
  onPhone,
  openScreen,
  owner,
  press,
  refusal,
  tells,
} from "#tests/support/app-screen.ts";
import { payment } from "#tests/support/screen-samples.ts";

/** A change of holder, where an owner asks for it and stops it, and where one of the two people objects. */

const now = new Date("2026-11-27T09:00:00Z");
const until = new Date("2026-12-11T09:00:00Z");
const approved = { ...payment, status: "approved" as const };
const person = { id: "00000000-0000-4000-8000-000000000009", fullName: "Ngozi Eze", email: "ngozi@example.com" };
const fromUserId = "00000000-0000-4000-8000-000000000008";
const fileId = "00000000-0000-4000-8000-000000000007";
const reason = "He died in October, and his daughter inherits.";
const preview: RouterOutputs["holderChanges"]["preview"] = {
  fromUserId,
  fromName: "Ada Obi",
  refusal: null,
  moves: [texts.whatMoves(1, 2, 20_000_000n), texts.inRunStays(1_000_000n)],
};
const payments: Answers = {
  ...owner,
  "payments.list": { items: [approved], nextCursor: null, canProcess: true, isBankKnown: false, unseenLimit: null },
  "payments.statusCounts": { pending: 0, approved: 1, rejected: 0, late: 0 },
  "payments.projects": { items: [] },
  "receipts.link": refusal("not_found", 404),
  "users.searchForPicker": { people: [person], hasMore: false },
  "holderChanges.preview": preview,
};
const openForm = async (more: Answers = {}) => {
  const screen = await openScreen("/admin/payments?status=approved", { ...payments, ...more });
  await press(`View Receipt of ${payment.backerName} for ${payment.projectTitle}`);
  await dialog.getByRole("button", { name: "Change of holder…" }).click();
  return screen;
};

test("an owner picks the new holder, adds the paper, and sends it to another owner", async () => {
  const ask: Answers = { "secondPerson.ask": undefined };
  const { uploads, sentTo } = await openForm(ask);
  for (const line of preview.moves) await expect.element(dialog.getByText(line)).toBeVisible();
  await dialog.getByLabelText("Reason").fill(reason);
  await dialog.getByRole("button", { name: "Send to another owner" }).click();
  await expect.element(dialog.getByRole("alert").getByText(texts.pickFirst)).toBeVisible();
  await dialog.getByLabelText("New holder").fill("ngo");
  await dialog.getByRole("option", { name: /Ngozi/ }).click();
  await dialog.getByLabelText("Why").selectOptions("court");
  const file = new File(["%PDF-1.7"], "order.pdf", { type: "application/pdf" });
  await chooseFiles(dialog.getByLabelText(/paper that proves it/), file);
  await dialog.getByRole("button", { name: "Send to another owner" }).click();
  await expect.poll(() => uploads[0]?.path).toBe("/uploads/payment-evidence");
  uploads[0]?.answer(200, { fileId });
  const details = { paymentId: payment.id, fromUserId, toUserId: person.id, cause: "court", fileIds: [fileId] };
  await expect.poll(() => sentTo("secondPerson.ask")).toEqual([{ kind: "change_holder", details, reason }]);
  // Else it would lie over the next test's button.
  await tells("Another owner is asked to confirm");
});

test("Escape leaves the form for the payment, and the keyboard is on its button again", async () => {
  await openForm();
  await expect.element(dialog.getByLabelText("New holder")).toBeVisible();
  await dialog.getByLabelText("Reason").click();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog.getByLabelText("New holder")).not.toBeInTheDocument();
  await expect.element(dialog.getByRole("button", { name: "Change of holder…" })).toHaveFocus();
});

test("why it can't be done is said instead of the form", async () => {
  await openForm({ "holderChanges.preview": { ...preview, refusal: texts.struck, moves: [] } });
  await expect.element(dialog.getByText(texts.struck)).toBeVisible();
  await expect.element(dialog.getByRole("button", { name: "Send to another owner" })).not.toBeInTheDocument();
});

const running = {
  id: 4,
  paymentId: payment.id,
  projectTitle: "Giant snails",
  round: 1,
  cause: "death" as const,
  reason,
  until,
  createdAt: now,
  amountKobo: 20_000_000n,
  fromName: "Ada Obi",
  toName: "Ngozi Eze",
};

test("what runs stands above the payments, with its papers, and an owner stops it with a reason", async () => {
  const paper = { name: "certificate.pdf", url: "/files/payment-evidence/1" };
  const { answers } = await openScreen("/admin/payments", {
    ...payments,
    "holderChanges.running": { now, changes: [{ ...running, papers: [paper] }] },
    "holderChanges.stop": refusal("conflict", 409, texts.endedAlready),
  });
  await hasHeading("Ada Obi → Ngozi Eze");
  await expect.element(page.getByText(/14 days left/)).toBeVisible();
  await expect.element(page.getByRole("link", { name: /certificate\.pdf/ })).toHaveAttribute("href", paper.url);
  await press("Stop…");
  await dialog.getByLabelText("Reason").fill("The registry says that it is a forgery.");
  await dialog.getByRole("button", { name: "Stop it" }).click();
  await expect.element(dialog.getByRole("alert").getByText(texts.endedAlready)).toBeVisible();
  answers["holderChanges.stop"] = undefined;
  answers["holderChanges.running"] = { now, changes: [] };
  await dialog.getByRole("button", { name: "Stop it" }).click();
  // The result stands where the card was, and has the keyboard.
  await expect.element(page.getByText(texts.stopped)).toHaveFocus();
  await expect.element(page.getByRole("button", { name: "Stop…" })).not.toBeInTheDocument();
});

const money = (mine: RouterOutputs["holderChanges"]["mine"], more: Answers = {}) =>
  openScreen("/profile?tab=money", {
    ...backer,
    "backings.mine": { items: [], nextCursor: null },
    "payeeAccounts.mine": {
      sums: { paidKobo: 0n, paidBackKobo: 0n, dueKobo: 0n },
      account: null,
      payouts: [],
      struck: [],
    },
    "papers.mine": { items: [], nextCursor: null },
    "holderChanges.mine": mine,
    ...more,
  });

test.each([
  [true, "Your lots are to pass to Ngozi Eze"],
  [false, "Ada Obi's lots are to pass to you"],
] as const)("one of the two objects by one press (old holder: %s)", async (isFrom, heading) => {
  await onPhone(async () => {
    const { answers } = await money({ now, changes: [{ ...running, isFrom }] });
    await hasHeading(heading);
    await expect.element(page.getByText(`Reason: ${reason}`)).toBeVisible();
    await fitsPhone();
    answers["holderChanges.object"] = undefined;
    answers["holderChanges.mine"] = { now, changes: [] };
    await press("Object");
    await expect.element(page.getByText(texts.objected)).toHaveFocus();
    await expect.element(page.getByRole("button", { name: "Object" })).not.toBeInTheDocument();
  });
});

test("an objection that is refused is said so", async () => {
  const refused = refusal("conflict", 409, texts.endedAlready);
  await money({ now, changes: [{ ...running, isFrom: true }] }, { "holderChanges.object": refused });
  await press("Object");
  await alerts(texts.objectFailed);
});

test("once the days are over nobody presses it", async () => {
  await money({ now: until, changes: [{ ...running, isFrom: true }] });
  await expect.element(page.getByText(/it is being carried out/)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Object" })).toBeDisabled();
});
