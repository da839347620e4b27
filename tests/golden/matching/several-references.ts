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
    parts: { from: "Hauwa Musa", naira: 260_000 },
    some: { from: "Ike Nwachukwu", naira: 370_000 },
    undone: { from: "Jide Cole", naira: 480_000 },
  },
  purchases: { agreed: { from: "Kemi Ajayi", naira: 90_000 } },
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
      about: "Where two sum to it the split is prepared, for a person to choose.",
      in: 1_220_000,
      narration: "NIP/ACCESS/{ada} {chidi}",
      candidates: [
        "split: ada ₦500,000 and chidi ₦720,000, ₦1,220,000. It names 2 of our references, and what is missing of them sums to it.",
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
      about: "One of them may be of somebody who sent no receipt.",
      in: 590_000,
      narration: "NIP/ACCESS/{ada} {agreed}",
      candidates: [
        "split: ada ₦500,000 and agreed ₦90,000, ₦590,000. It names 2 of our references, and what is missing of them sums to it.",
        "other_amount: payment ada, ₦590,000. Our reference, and ₦90,000 more than is missing.",
        "other_amount: purchase agreed, ₦590,000. Our reference, and ₦500,000 more than is missing. No receipt came for it: Kemi Ajayi, Ponds of Kemi Ajayi, {agreed}.",
      ],
    },
    {
      about: "Two transfers under one reference that bring together what is missing are sure,",
      in: 105_000,
      narration: "NIP/KUDA/HAUWA MUSA/{parts}",
      candidates: [
        "our_reference, sure: payment parts, ₦105,000. Our reference, and with its other lines just the missing ₦260,000.",
      ],
    },
    {
      about: "each of them.",
      in: 155_000,
      narration: "NIP/KUDA/HAUWA MUSA/{parts}",
      candidates: [
        "our_reference, sure: payment parts, ₦155,000. Our reference, and with its other lines just the missing ₦260,000.",
      ],
    },
    {
      about: "Where they bring less, a person looks at the first,",
      in: 106_000,
      narration: "NIP/KUDA/IKE NWACHUKWU/{some}",
      candidates: [
        "other_amount: payment some, ₦106,000. Our reference, and a part: ₦106,000 of the missing ₦370,000.",
      ],
    },
    {
      about: "and at the second.",
      in: 200_000,
      narration: "NIP/KUDA/IKE NWACHUKWU/{some}",
      candidates: [
        "other_amount: payment some, ₦200,000. Our reference, and a part: ₦200,000 of the missing ₦370,000.",
      ],
    },
    {
      about: "Where a person undid the match of one, a person decides on both.",
      in: 80_000,
      narration: "NIP/KUDA/JIDE COLE/{undone}",
      shows: [{ payment: "undone" }],
      isUndone: true,
      candidates: [
        "other_amount: payment undone, ₦80,000. Our reference, and a part: ₦80,000 of the missing ₦480,000.",
      ],
    },
    {
      about: "The other one.",
      in: 400_000,
      narration: "NIP/KUDA/JIDE COLE/{undone}",
      candidates: [
        "other_amount: payment undone, ₦400,000. Our reference, and a part: ₦400,000 of the missing ₦480,000.",
      ],
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
