import { expect, test } from "vitest";
import { type AuditNames, auditSentence, auditSentences } from "#shared/audit-log/sentences.ts";

const names: AuditNames = {
  actor: "Ada Obi",
  person: "Chike Eze",
  asker: "Bola Adeyinka",
  project: "Ponds at Epe",
  payment: { backer: "Chike Eze", amountKobo: 20_000_000n },
};
const nobody: AuditNames = { actor: null, person: null, asker: null, project: null, payment: null };
const said = (actionType: string, details: Record<string, unknown>, more: Partial<AuditNames> = {}) =>
  auditSentence({ actionType, details, userEmail: "ada@gona.example", names: { ...names, ...more } });

test.each([
  [
    "update_payment_status",
    { after: "approved", amountKobo: "20000000" },
    "approved the payment of ₦200,000 by Chike Eze",
  ],
  ["update_payment_status", { after: "rejected", amountKobo: "100" }, "rejected the payment of ₦1 by Chike Eze"],
  [
    "update_payment_status",
    { after: "pending", amountKobo: "100" },
    "set the payment of ₦1 by Chike Eze back to pending",
  ],
  ["edit_project", { title: "Snail pens" }, "edited the project Snail pens"],
  ["match_line", { matches: [{ kind: "payment" }] }, "matched a bank line with the payment of ₦200,000 by Chike Eze"],
  ["approve_payout_run", { runId: 7, payouts: 1, totalKobo: "100" }, "approved payment run 7: 1 payout, ₦1"],
  ["settle_harvest", { number: 2, title: "Snail pens" }, "settled harvest 2 of Snail pens"],
  [
    "ask_second_person",
    { kind: "approve_payment", paymentId: 1 },
    "asked another owner to confirm the approval of a payment: the payment of ₦200,000 by Chike Eze",
  ],
  [
    "ask_second_person",
    { kind: "lose", what: "rest", title: "Snail pens" },
    "asked another owner to confirm the loss of a harvest's rest: Snail pens",
  ],
  [
    "confirm_as_second_person",
    { kind: "set_farm_account", title: "Snail pens" },
    "confirmed a farm's bank account: Snail pens, asked for by Bola Adeyinka",
  ],
  [
    "confirm_as_second_person",
    { kind: "set_farm_account", title: "Snail pens", isAlone: true },
    "confirmed a farm's bank account: Snail pens as the only owner",
  ],
  ["invite_admin", { fullName: "Amina Sule", role: "manager" }, "invited Amina Sule as manager"],
  ["export_table", { table: "payments", format: "csv" }, "exported the table payments as CSV"],
] as const)("%s is said in a sentence", (action, details, wanted) => {
  const { payment } = names;
  const about = "paymentId" in details || /payment_status|match_line/.test(action) ? payment : null;
  expect(said(action, details, { payment: about })).toBe(`Ada Obi ${wanted}`);
});

test("who did it is named as well as can be", () => {
  const of = (userEmail: string | null, details = {}) =>
    auditSentence({ actionType: "close_project", details: { title: "Ponds", ...details }, userEmail, names: nobody });
  expect(of("ada@gona.example")).toBe("ada@gona.example closed the project Ponds");
  expect(of(null)).toBe("The system closed the project Ponds");
  expect(of(null, { via: "command line" })).toBe("The command line closed the project Ponds");
});

test("an action of another version keeps its name", () => {
  for (const action of ["paint_barn", "constructor"])
    expect(said(action, {})).toMatch(/^Ada Obi: (Paint barn|Constructor)$/);
});

test("no entry makes nonsense, whatever it holds", () => {
  const odd = [null, [], {}, "", -1, "x", { kind: null }, [null], [{ kind: "constructor" }]];
  const fields = ["title", "amountKobo", "after", "number", "lots", "matches", "kind", "payouts", "totalKobo", "email"];
  for (const action of Object.keys(auditSentences)) {
    for (const value of [undefined, ...odd]) {
      const details = value === undefined ? {} : Object.fromEntries(fields.map((field) => [field, value]));
      const sentence = auditSentence({ actionType: action, details, userEmail: null, names: nobody });
      expect([action, sentence]).toEqual([action, expect.stringMatching(/^The system [a-z][^\n]{3,}[^ ]$/)]);
      expect(sentence).not.toMatch(/undefined|null|NaN|\[object| {2}/);
    }
  }
});
