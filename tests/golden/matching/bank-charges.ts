import type { Scene } from "#tests/support/matching-scenes.ts";

export const bankCharges: Scene = {
  about: "debits by which the bank takes its charges",
  payouts: { ada: { to: "Adaeze Okafor", naira: 500_000 } },
  lines: [
    {
      about: "A text that the account keeps is a charge, in any case and with any spaces.",
      out: 50,
      narration: "Stamp  Duty on NIP/ACCESS",
      candidates: ["bank_charges: the bank, ₦50. It has a text of this account's bank charges."],
    },
    {
      about: "It is one also where it names what it was taken for.",
      out: 50,
      narration: "STAMP DUTY {ada}",
      candidates: [
        "bank_charges: the bank, ₦50. It has a text of this account's bank charges.",
        "payout_reference: payout ada, ₦500,000, not to be chosen. The reference of a payout, but its amount is ₦500,000. A payout leaves as a whole: ₦500,000.",
      ],
    },
    {
      about: "What a person explained in part isn't one any more.",
      out: 100,
      narration: "SMS ALERT CHARGE",
      shows: [{ operator: "Ours", naira: 40 }],
      candidates: [],
    },
    { about: "Money in is none.", in: 50, narration: "STAMP DUTY REFUNDED TO YOU", candidates: [] },
    { about: "Nor is a text that the account doesn't keep.", out: 500, narration: "COT NOVEMBER", candidates: [] },
  ],
};
