import type { Scene } from "#tests/support/matching-scenes.ts";

const near = "The same amount moved on another of our accounts within three days.";

export const ownTransfers: Scene = {
  about: "money between our own accounts",
  payments: { ada: { from: "Adaeze Okafor", naira: 500_000 }, bisi: { from: "Bisi Ojo", naira: 610_000 } },
  lines: [
    {
      about: "The same amount, once out and once in, on two of our accounts,",
      out: 77_123,
      narration: "TRF TO SAVINGS",
      as: "out",
      candidates: [`own_transfer: line into, ₦77,123. ${near}`],
    },
    {
      about: "within three days.",
      in: 77_123,
      on: "2026-11-24",
      account: "savings",
      narration: "TRF FROM GONA",
      as: "into",
      candidates: [`own_transfer: line out, ₦77,123. ${near}`],
    },
    { about: "Four days apart they are two things:", out: 88_234, narration: "TRF TO SAVINGS", candidates: [] },
    {
      about: "this one too.",
      in: 88_234,
      on: "2026-11-25",
      account: "savings",
      narration: "TRF FROM GONA",
      candidates: [],
    },
    { about: "On one account they are, too:", out: 99_345, narration: "POS PURCHASE", candidates: [] },
    { about: "this is the other.", in: 99_345, narration: "CASH DEPOSIT", candidates: [] },
    {
      about: "A line of which a part was matched is no end of a transfer,",
      out: 66_456,
      narration: "TRF TO SAVINGS",
      shows: [{ operator: "Levy", naira: 456 }],
      candidates: [],
    },
    { about: "nor is this its other end.", in: 66_456, account: "savings", narration: "TRF FROM GONA", candidates: [] },
    {
      about: "Our reference goes before a transfer: it is sure.",
      in: 500_000,
      account: "savings",
      narration: "NIP/ACCESS/ADAEZE OKAFOR/{ada}",
      as: "adas",
      candidates: [
        "our_reference, sure: payment ada, ₦500,000. Our reference, and the missing amount.",
        `own_transfer: line same, ₦500,000. ${near}`,
      ],
    },
    {
      about: "What went out has nothing else that it could be.",
      out: 500_000,
      narration: "TRF TO SOMEBODY",
      as: "same",
      candidates: [`own_transfer: line adas, ₦500,000. ${near}`],
    },
    {
      about: "Between the amount alone and a transfer the transfer is likelier.",
      in: 610_000,
      account: "savings",
      narration: "CASH DEPOSIT",
      as: "deposit",
      candidates: [
        `own_transfer: line withdrawal, ₦610,000. ${near}`,
        "amount: payment bisi, ₦610,000. Only the amount fits.",
      ],
    },
    {
      about: "The other end of it.",
      out: 610_000,
      narration: "CASH WITHDRAWAL",
      as: "withdrawal",
      candidates: [`own_transfer: line deposit, ₦610,000. ${near}`],
    },
  ],
};
