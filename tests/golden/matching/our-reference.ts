import type { Scene } from "#tests/support/matching-scenes.ts";

export const ourReference: Scene = {
  about: "credits with our reference",
  payments: {
    ada: { from: "Adaeze Okafor", naira: 500_000 },
    chidi: { from: "Chidi Eze", naira: 610_000, status: "approved" },
    dayo: { from: "Dayo Alabi", naira: 620_000 },
    efe: { from: "Efe Oghene", naira: 630_000 },
    femi: { from: "Femi Bello", naira: 640_000 },
    gozie: { from: "Gozie Nwosu", naira: 650_000 },
    halima: { from: "Halima Sani", naira: 660_000 },
  },
  lines: [
    {
      about: "The reference and the missing amount are sure.",
      in: 500_000,
      narration: "NIP/ACCESS/ADAEZE OKAFOR/{ada}",
      candidates: ["our_reference, sure: payment ada, ₦500,000. Our reference, and the missing amount."],
    },
    {
      about: "So they are of a payment that was approved before the bank showed it.",
      in: 610_000,
      narration: "NIP/GTB/CHIDI EZE/{chidi}",
      candidates: ["our_reference, sure: payment chidi, ₦610,000. Our reference, and the missing amount."],
    },
    {
      about: "Neither the prefix nor the dashes have to be there, and capitals don't count.",
      in: 620_000,
      narration: "trf {dayo:bare} thanks",
      candidates: ["our_reference, sure: payment dayo, ₦620,000. Our reference, and the missing amount."],
    },
    {
      about: "Banks cut references off; seven characters are enough where no other reference begins so.",
      in: 630_000,
      narration: "NIP/UBA/GONA-{efe:7}",
      candidates: ["our_reference, sure: payment efe, ₦630,000. Our reference, and the missing amount."],
    },
    {
      about: "Some banks print what the payer wrote in a column of its own.",
      in: 640_000,
      narration: "NIP TRANSFER",
      customerReference: "{femi}",
      candidates: ["our_reference, sure: payment femi, ₦640,000. Our reference, and the missing amount."],
    },
    {
      about: "Somebody else may pay: the reference counts, not the name.",
      in: 650_000,
      narration: "NIP/ZENITH/GOZIES AUNT LTD/{gozie}",
      candidates: ["our_reference, sure: payment gozie, ₦650,000. Our reference, and the missing amount."],
    },
    {
      about:
        "A reference that the import left out is found in the line's texts, and a person looks: it is newer than the line, or the bank called the money returned.",
      in: 660_000,
      narration: "NIP/ACCESS/HALIMA SANI/{halima}",
      isOlderThanReference: true,
      candidates: [
        "our_reference: payment halima, ₦660,000. Our reference, and the missing amount, but it wasn't taken for one when the line was imported.",
      ],
    },
  ],
};
