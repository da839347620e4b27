import { expect, test } from "vitest";
import { sendingBlockedBy } from "#server/features/payments/buying/service.ts";
import { refundDueOf } from "#server/features/payments/queries.ts";
import { newReference, readReferencePart } from "#server/platform/references.ts";
import { setPaymentStatusInput, submitReceiptFields } from "#shared/payments/inputs.ts";
import { paymentTexts, refundDueText } from "#shared/payments/texts.ts";

test("references are short, grouped, and without characters that look alike", () => {
  const references = Array.from({ length: 1000 }, () => newReference("GONA"));
  for (const reference of references) expect(reference).toMatch(/^GONA-[2-9A-HJKMNP-TW-Z]{4}-[2-9A-HJKMNP-TW-Z]{4}$/);
  expect(new Set(references).size).toBe(1000);
});

test.each([
  ["GONA-7K3P-9Q2M", "GONA7K3P9Q2M"],
  ["  gona 7k3p\u20139q2m ", "GONA7K3P9Q2M"],
  ["Ref: 7k3", null],
  ["7k3", "7K3"],
  ["7k", null],
  ["-- -", null],
  ["ada@farm.example", null],
  ["7K%", null],
])("%j, typed into the search, is the part %j of a reference", (typed, part) => {
  expect(readReferencePart(typed)).toBe(part);
});

test.each([
  ["pending", 1, false, null, null, null],
  ["pending", 1, true, "funded", null, "project_taken"],
  ["pending", 1, false, "funded", null, null],
  ["pending", 1, false, "not_funded", null, "not_funded"],
  ["pending", 1, true, "written_off", null, "not_approved"],
  ["pending", null, false, null, null, "project_removed"],
  ["approved", 1, true, "written_off", null, null],
  ["rejected", 1, true, "not_funded", null, null],
  ["rejected", null, true, null, null, null],
  ["rejected", 1, false, "not_funded", "not_funded", "not_funded"],
  ["pending", 1, true, "funded", "not_approved", "not_approved"],
  ["approved", 1, true, "funded", "surplus", "surplus"],
  ["pending", 1, false, null, "surplus", "surplus"],
  ["pending", 1, true, "funded", "surplus", "project_taken"],
] as const)(
  "a %s payment of project %s, taken: %s, round: %s, refund: %s, has the refund mark %s",
  (status, projectId, isProjectTaken, roundOutcome, refundReason, mark) => {
    expect(refundDueOf({ status, projectId, isProjectTaken, roundOutcome, refundReason })).toBe(mark);
  },
);

test.each([
  [false, false, true, false, "terms"],
  [false, true, true, false, "terms"],
  [false, true, true, true, null],
  [true, false, true, false, "closed"],
  [true, true, true, false, null],
  [true, true, false, true, "no_bank_details"],
  [false, false, false, false, "no_bank_details"],
] as const)(
  "closed: %s, reference: %s, bank details: %s, account: %s blocks sending by %s",
  (isClosed, hasReference, isOpenForMoney, maySeeAccount, by) => {
    expect(sendingBlockedBy({ isClosed, hasReference, isOpenForMoney, maySeeAccount })).toBe(by);
  },
);

test.each([
  ["project_taken", null, 1, paymentTexts.taken],
  ["project_taken", null, 40, paymentTexts.lotsTaken],
  ["project_removed", null, null, paymentTexts.removed],
  ["not_funded", null, 40, "The round was not funded. If you have paid, a refund is due to you."],
  ["not_approved", null, 40, paymentTexts.pendingNotApproved],
  ["not_funded", 10_000_000n, 40, paymentTexts.dueBack("₦100,000")],
  ["not_approved", 10_000_000n, 1, paymentTexts.returned("₦100,000")],
  ["lots_gone", 10_000_000n, 1, paymentTexts.lotsGone("₦100,000")],
  ["surplus", 50_00n, 1, paymentTexts.surplus("₦50")],
] as const)(
  "the mark %s with a refund of %s kobo, of a round of %s lots, reads %j",
  (refundDue, refundKobo, roundLots, text) => {
    expect(refundDueText({ refundDue, refundKobo, roundLots })).toBe(text);
  },
);

test("a reason is trimmed and limited", () => {
  const input = { paymentId: 1, status: "rejected", seenStatus: "pending", seenReceiptSha256: "a".repeat(64) };
  expect(setPaymentStatusInput.parse({ ...input, reason: "  unreadable " }).reason).toBe("unreadable");
  expect(setPaymentStatusInput.safeParse({ ...input, reason: "x".repeat(501) }).success).toBe(false);
});

test.each(["", "0", "-1", "1e3", "99999999999", "1; drop table projects", "2147483648"])(
  "%j is no project id of an upload",
  (projectId) => {
    const idempotencyKey = crypto.randomUUID();
    expect(submitReceiptFields.safeParse({ projectId, idempotencyKey }).success).toBe(false);
  },
);
