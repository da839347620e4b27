import type { Scene } from "#tests/support/matching-scenes.ts";

export const unknownDays: Scene = {
  about: "debits of days that the statements of our other account don't reach yet",
  savingsKnownUntil: "2026-11-20",
  payouts: {
    ada: { to: "Adaeze Okafor", naira: 300_000, run: "friday" },
    bisi: { to: "Bisi Ojo", naira: 450_000, run: "friday" },
    chidi: { to: "Chidi Eze", naira: 620_000, run: "covered" },
    dayo: { to: "Dayo Alabi", naira: 630_000, run: "covered" },
    efe: { to: "Efe Oghene", naira: 940_000 },
  },
  runs: { covered: { exportedOn: "2026-11-19" } },
  lines: [
    {
      about: "A transfer may stand in the statement that is still to come,",
      out: 750_000,
      narration: "BULK TRF",
      candidates: [
        "run_total: run friday of 2, ₦750,000. The total of payment run {friday}, but it may be a transfer to another of our accounts: look at their statements.",
      ],
    },
    {
      about: "whatever the line names.",
      out: 940_000,
      narration: "TRF/{efe}",
      candidates: [
        "payout_reference: payout efe, ₦940,000. The reference of a payout, and its amount, but it may be a transfer to another of our accounts: look at their statements.",
      ],
    },
    {
      about: "Of a day that they cover it would stand there.",
      out: 1_250_000,
      on: "2026-11-20",
      narration: "BULK TRF",
      candidates: ["run_total, sure: run covered of 2, ₦1,250,000. The total of payment run {covered}: 2 payouts."],
    },
  ],
};
