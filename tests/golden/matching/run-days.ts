import type { Scene } from "#tests/support/matching-scenes.ts";

export const runDays: Scene = {
  about: "days on which a run may leave by one debit",
  payouts: {
    ada: { to: "Adaeze Okafor", naira: 100_000, run: "old" },
    bisi: { to: "Bisi Ojo", naira: 130_000, run: "old" },
    chidi: { to: "Chidi Eze", naira: 240_000, run: "older" },
    dayo: { to: "Dayo Alabi", naira: 250_000, run: "older" },
    efe: { to: "Efe Oghene", naira: 301_000, run: "new" },
    femi: { to: "Femi Bello", naira: 302_000, run: "new" },
  },
  runs: { old: { exportedOn: "2026-11-06" }, older: { exportedOn: "2026-11-05" }, new: { exportedOn: "2026-11-20" } },
  lines: [
    {
      about: "On the fourteenth day after its export a run may still leave,",
      out: 230_000,
      on: "2026-11-20",
      narration: "BULK PAYMENT",
      candidates: ["run_total, sure: run old of 2, ₦230,000. The total of payment run {old}: 2 payouts."],
    },
    {
      about: "and on the fifteenth it isn't looked for.",
      out: 490_000,
      on: "2026-11-20",
      narration: "BULK PAYMENT",
      candidates: [],
    },
    { about: "Nor before its export.", out: 603_000, on: "2026-11-19", narration: "BULK PAYMENT", candidates: [] },
  ],
};
