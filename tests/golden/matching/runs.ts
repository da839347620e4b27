import type { Scene } from "#tests/support/matching-scenes.ts";

export const runs: Scene = {
  about: "debits of a run's total",
  payouts: {
    ada: { to: "Adaeze Okafor", naira: 100_000, run: "friday" },
    bisi: { to: "Bisi Ojo", naira: 130_000, run: "friday" },
    chidi: { to: "Chidi Eze", naira: 140_000, run: "friday" },
    dayo: { to: "Dayo Alabi", naira: 211_000, run: "first" },
    efe: { to: "Efe Oghene", naira: 222_000, run: "first" },
    femi: { to: "Femi Bello", naira: 222_000, run: "second" },
    gozie: { to: "Gozie Nwosu", naira: 211_000, run: "second" },
    halima: { to: "Halima Sani", naira: 305_000, run: "twice" },
    ife: { to: "Ife Ajayi", naira: 306_000, run: "twice" },
    joy: { to: "Joy Etim", naira: 401_000, run: "partly" },
    kemi: { to: "Kemi Ade", naira: 402_000, run: "partly" },
    lola: { to: "Lola Oni", naira: 403_000, run: "partly" },
    musa: { to: "Musa Garba", naira: 512_000, run: "alone" },
  },
  lines: [
    {
      about: "One debit of all of a run is sure.",
      out: 370_000,
      narration: "BULK PAYMENT",
      candidates: ["run_total, sure: run friday of 3, ₦370,000. The total of payment run {friday}: 3 payouts."],
    },
    {
      about: "Where two runs have the same total neither is.",
      out: 433_000,
      narration: "BULK PAYMENT",
      candidates: [
        "run_total: run first of 2, ₦433,000. The total of payment run {first}, but another line or run has the same.",
        "run_total: run second of 2, ₦433,000. The total of payment run {second}, but another line or run has the same.",
      ],
    },
    {
      about: "Nor where two lines have it: this one",
      out: 611_000,
      narration: "BULK PAYMENT",
      candidates: [
        "run_total: run twice of 2, ₦611,000. The total of payment run {twice}, but another line or run has the same.",
      ],
    },
    {
      about: "and that one.",
      out: 611_000,
      narration: "BULK PAYMENT AGAIN",
      candidates: [
        "run_total: run twice of 2, ₦611,000. The total of payment run {twice}, but another line or run has the same.",
      ],
    },
    { about: "One of a run has left by itself.", out: 401_000, narration: "{joy}", shows: [{ payout: "joy" }] },
    {
      about: "The whole total isn't what can leave any more,",
      out: 1_206_000,
      narration: "BULK PAYMENT",
      candidates: [],
    },
    {
      about: "but the total of what no line shows yet.",
      out: 805_000,
      narration: "BULK PAYMENT",
      candidates: ["run_total, sure: run partly of 2, ₦805,000. The total of payment run {partly}: 2 payouts."],
    },
    {
      about: "The total of a run of one payout says no more than its amount does, which is never sure.",
      out: 512_000,
      narration: "BULK PAYMENT",
      candidates: ["amount: payout musa, ₦512,000. The amount of a payout that was sent and not seen leaving."],
    },
    {
      about: "A run leaves from the account that it was made for.",
      out: 370_000,
      account: "savings",
      narration: "BULK PAYMENT",
      candidates: [],
    },
  ],
};
