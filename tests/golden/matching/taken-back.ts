import type { Scene } from "#tests/support/matching-scenes.ts";

export const takenBack: Scene = {
  about: "debits by which the bank takes a credit back",
  payments: {
    ada: { from: "Adaeze Okafor", naira: 500_000 },
    bisi: { from: "Bisi Ojo", naira: 610_000 },
    chidi: { from: "Chidi Eze", naira: 720_000 },
    dayo: { from: "Dayo Alabi", naira: 830_000 },
    efe: { from: "Efe Oghene", naira: 200_000 },
  },
  lines: [
    { about: "It came.", in: 500_000, on: "2026-11-06", narration: "{ada}", shows: [{ payment: "ada" }] },
    {
      about: "A reversal of the amount of a credit is an alarm, and never sure.",
      out: 500_000,
      narration: "RVSL NIP TRANSFER",
      candidates: ["taken_back: credit of ada, ₦500,000. It reads like a reversal, and this amount came before."],
    },
    {
      about: "So is a debit that the bank marks as one.",
      out: 500_000,
      narration: "NIP TRANSFER",
      isReversal: true,
      candidates: ["taken_back: credit of ada, ₦500,000. It reads like a reversal, and this amount came before."],
    },
    { about: "A debit that says nothing of it isn't.", out: 500_000, narration: "NIP TRANSFER", candidates: [] },
    { about: "It came on this day.", in: 610_000, on: "2026-11-01", narration: "{bisi}", shows: [{ payment: "bisi" }] },
    {
      about: "Thirty days later it may still be taken back,",
      out: 610_000,
      on: "2026-12-01",
      narration: "REVERSAL",
      candidates: ["taken_back: credit of bisi, ₦610,000. It reads like a reversal, and this amount came before."],
    },
    { about: "and then it isn't suggested.", out: 610_000, on: "2026-12-02", narration: "REVERSAL", candidates: [] },
    { about: "Nor before it came.", out: 610_000, on: "2026-10-31", narration: "REVERSAL", candidates: [] },
    { about: "It came.", in: 720_000, on: "2026-11-06", narration: "{chidi}", shows: [{ payment: "chidi" }] },
    {
      about: "A person said that this one took it back,",
      out: 720_000,
      narration: "RVSL NIP",
      shows: [{ takenBack: "chidi" }],
    },
    { about: "so the next can't.", out: 720_000, narration: "RVSL NIP", candidates: [] },
    { about: "It came.", in: 830_000, on: "2026-11-06", narration: "{dayo}", shows: [{ payment: "dayo" }] },
    {
      about: "A reversal on another of our accounts took nothing of it back.",
      out: 830_000,
      account: "savings",
      narration: "RVSL NIP",
      candidates: [],
    },
    {
      about: "Of this one only a part was a payment's.",
      in: 300_000,
      on: "2026-11-06",
      narration: "{efe}",
      shows: [
        { payment: "efe", naira: 200_000 },
        { operator: "Capital", naira: 100_000 },
      ],
    },
    {
      about: "Where the bank takes all of a line back that was several things, the part of a payment is named.",
      out: 300_000,
      narration: "RVSL NIP",
      candidates: ["taken_back: credit of efe, ₦200,000. It reads like a reversal, and this amount came before."],
    },
  ],
};
