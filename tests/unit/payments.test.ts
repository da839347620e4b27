import { expect, test } from "vitest";
import { newReference, readReferencePart, refundDueOf, sendingBlockedBy } from "#server/features/payments/rules.ts";
import { setPaymentStatusInput, submitReceiptFields } from "#shared/payments.ts";

test("references are short, grouped, and without characters that look alike", () => {
  const references = Array.from({ length: 1000 }, newReference);
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
  ["pending", 1, false, null, null],
  ["pending", 1, true, null, "project_taken"],
  ["pending", null, false, null, "project_removed"],
  ["approved", 1, true, null, null],
  ["rejected", null, true, null, null],
  ["rejected", 1, false, "not_funded", "not_funded"],
  ["pending", 1, true, "not_approved", "not_approved"],
] as const)(
  "a %s payment of project %s, taken: %s, refund: %s, has the refund mark %s",
  (status, projectId, isProjectTaken, refundReason, mark) => {
    expect(refundDueOf({ status, projectId, isProjectTaken, refundReason })).toBe(mark);
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
  "closed: %s, reference: %s, bank details: %s, agreed: %s blocks sending by %s",
  (isClosed, hasReference, hasBankDetails, hasAgreed, by) => {
    expect(sendingBlockedBy({ isClosed, hasReference, hasBankDetails, hasAgreed })).toBe(by);
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
