import type { Scene } from "#tests/support/matching-scenes.ts";

export const purchases: Scene = {
  about: "credits with a reference for which no receipt came",
  purchases: {
    ada: { from: "Adaeze Okafor", naira: 500_000 },
    bisi: { from: "Bisi Ojo", naira: 610_000 },
  },
  lines: [
    {
      about: "Paid, and no receipt: the reference and what was agreed to are sure, and make the payment.",
      in: 500_000,
      narration: "NIP/ACCESS/ADAEZE OKAFOR/{ada}",
      candidates: [
        "our_reference, sure: purchase ada, ₦500,000. Our reference, and the missing amount. No receipt came for it: Adaeze Okafor, Ponds of Adaeze Okafor, {ada}.",
      ],
    },
    {
      about: "Another amount than was agreed to is named.",
      in: 600_000,
      narration: "NIP/GTB/BISI OJO/{bisi}",
      candidates: [
        "other_amount: purchase bisi, ₦600,000. Our reference, and a part: ₦600,000 of the missing ₦610,000. No receipt came for it: Bisi Ojo, Ponds of Bisi Ojo, {bisi}.",
      ],
    },
  ],
};
