import type { Scene } from "#tests/support/matching-scenes.ts";

export const severalReferences: Scene = {
  about: "credits that name more than one thing, or one thing that several lines name",
  payments: {
    ada: { from: "Adaeze Okafor", naira: 500_000 },
    bisi: { from: "Bisi Ojo", naira: 610_000 },
    chidi: { from: "Chidi Eze", naira: 720_000 },
    twice: { from: "Dayo Alabi", naira: 830_000 },
    split: { from: "Efe Oghene", naira: 100_000 },
    one: { from: "Femi Bello", naira: 150_000 },
    other: { from: "Gozie Nwosu", naira: 150_000 },
  },
  lines: [
    {
      about: "Of two references the one whose payment misses just this is sure.",
      in: 610_000,
      narration: "NIP/ACCESS/OKAFOR {ada} AND OJO {bisi}",
      candidates: [
        "our_reference, sure: payment bisi, ₦610,000. Our reference, and the missing amount.",
        "other_amount: payment ada, ₦610,000. Our reference, and ₦110,000 more than is missing.",
      ],
    },
    {
      about: "Where two sum to it neither is sure: a person splits the line.",
      in: 1_220_000,
      narration: "NIP/ACCESS/{ada} {chidi}",
      candidates: [
        "other_amount: payment ada, ₦1,220,000. Our reference, and ₦720,000 more than is missing.",
        "other_amount: payment chidi, ₦1,220,000. Our reference, and ₦500,000 more than is missing.",
      ],
    },
    {
      about: "Where the payments of both miss just this, neither is: a person says which it is.",
      in: 150_000,
      narration: "NIP/ACCESS/{one} {other}",
      candidates: [
        "our_reference: payment one, ₦150,000. The line has several references whose amounts fit: say which it is.",
        "our_reference: payment other, ₦150,000. The line has several references whose amounts fit: say which it is.",
      ],
    },
    {
      about: "The first of two equal transfers under one reference is matched by itself,",
      in: 830_000,
      narration: "NIP/ACCESS/DAYO ALABI/{twice}",
      candidates: ["our_reference, sure: payment twice, ₦830,000. Our reference, and the missing amount."],
    },
    {
      about: "and the second one finds nothing missing when its turn comes.",
      in: 830_000,
      narration: "NIP/ACCESS/DAYO ALABI/AGAIN/{twice}",
      candidates: ["our_reference, sure: payment twice, ₦830,000. Our reference, and the missing amount."],
      isLeft: true,
    },
    {
      about: "Of a line that a person split the rest is looked at: it is what the payment misses.",
      in: 150_000,
      narration: "NIP/UBA/EFE OGHENE/{split}",
      shows: [{ operator: "Interest", naira: 50_000 }],
      candidates: ["our_reference, sure: payment split, ₦100,000. Our reference, and the missing amount."],
    },
    {
      about: "A reference that nobody was given says nothing.",
      in: 17_171,
      narration: "NIP/UBA/SOMEBODY/GONA-ZZZZ-ZZZZ",
      candidates: [],
    },
  ],
};
