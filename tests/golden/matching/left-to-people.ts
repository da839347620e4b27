import type { Scene } from "#tests/support/matching-scenes.ts";

export const leftToPeople: Scene = {
  about: "lines of which a person undid a match, and those that say nothing",
  payments: { ada: { from: "Adaeze Okafor", naira: 500_000 } },
  lines: [
    {
      about: "A person undid its match: it is suggested as before, and left to a person.",
      in: 500_000,
      narration: "NIP/ACCESS/ADAEZE OKAFOR/{ada}",
      shows: [{ payment: "ada" }],
      isUndone: true,
      candidates: ["our_reference, sure: payment ada, ₦500,000. Our reference, and the missing amount."],
      isLeft: true,
    },
    {
      about: "Charges are for a person to say.",
      out: 52.5,
      narration: "SMS ALERT CHARGE",
      candidates: ["bank_charges: the bank, ₦52.50. It has a text of this account's bank charges."],
    },
    { about: "So is a deposit that nobody waits for.", in: 123_457, narration: "CASH DEPOSIT", candidates: [] },
  ],
};
