import type { Scene } from "#tests/support/matching-scenes.ts";

const unsure = (run: string) =>
  `The total of payment run {${run}}, but it may be a transfer to another of our accounts: look at their statements.`;

export const runsOrOwnTransfers: Scene = {
  about: "debits that may be a run's total or a transfer to another of our accounts: never sure",
  payouts: {
    ada: { to: "Adaeze Okafor", naira: 300_000, run: "counter" },
    bisi: { to: "Bisi Ojo", naira: 450_000, run: "counter" },
    chidi: { to: "Chidi Eze", naira: 310_000, run: "number" },
    dayo: { to: "Dayo Alabi", naira: 460_000, run: "number" },
    efe: { to: "Efe Oghene", naira: 320_000, run: "name" },
    femi: { to: "Femi Bello", naira: 470_000, run: "name" },
    gozie: { to: "Gozie Nwosu", naira: 330_000, run: "ignored" },
    halima: { to: "Halima Sani", naira: 480_000, run: "ignored" },
  },
  lines: [
    {
      about: "The same sum came in there within three days.",
      out: 750_000,
      narration: "BULK TRF",
      as: "out",
      candidates: [
        `run_total: run counter of 2, ₦750,000. ${unsure("counter")}`,
        "own_transfer: line into, ₦750,000. The same amount moved on another of our accounts within three days.",
      ],
    },
    {
      about: "That is the other end.",
      in: 750_000,
      on: "2026-11-24",
      account: "savings",
      narration: "TRF FROM GONA",
      as: "into",
      candidates: [
        "own_transfer: line out, ₦750,000. The same amount moved on another of our accounts within three days.",
      ],
    },
    {
      about: "The line names our other account by its number,",
      out: 770_000,
      narration: "BULK TRF TO 9876543210",
      candidates: [`run_total: run number of 2, ₦770,000. ${unsure("number")}`],
    },
    {
      about: "or us by our name.",
      out: 790_000,
      narration: "BULK TRF GONA FARMS LTD",
      candidates: [`run_total: run name of 2, ₦790,000. ${unsure("name")}`],
    },
    {
      about: "What came in there was called our own money: it may still be the other end,",
      in: 810_000,
      account: "savings",
      narration: "TRF FROM GONA",
      shows: [{ operator: "Capital of the company" }],
    },
    {
      about: "so this isn't sure, though it is no counter line to choose.",
      out: 810_000,
      narration: "BULK TRF",
      candidates: [`run_total: run ignored of 2, ₦810,000. ${unsure("ignored")}`],
    },
  ],
};
