import type { Scene } from "#tests/support/matching-scenes.ts";

export const payoutsLeaving: Scene = {
  about: "debits by which payouts leave",
  payouts: {
    ada: { to: "Adaeze Okafor", naira: 500_000 },
    bisi: { to: "Bisi Ojo", naira: 610_000 },
    seen: { to: "Chidi Eze", naira: 720_000 },
    late: { to: "Dayo Alabi", naira: 830_000, isDeclaredFailed: true },
    efe: { to: "Efe Oghene", naira: 940_000 },
    femi: { to: "Femi Bello", naira: 150_000 },
    later: { to: "Gozie Nwosu", naira: 260_000 },
    own: { to: "Halima Sani", naira: 370_000 },
  },
  runs: { later: { exportedOn: "2026-11-20" } },
  lines: [
    {
      about: "A payout's reference and its sum are sure.",
      out: 500_000,
      narration: "NIP TRF TO ADAEZE OKAFOR/{ada}",
      candidates: ["payout_reference, sure: payout ada, ₦500,000. The reference of a payout, and its amount."],
    },
    {
      about: "With more than its sum, as with a charge in it, a person splits the line.",
      out: 610_050,
      narration: "NIP TRF TO BISI OJO/{bisi}",
      candidates: ["payout_reference: payout bisi, ₦610,000. The reference of a payout, but its amount is ₦610,000."],
    },
    {
      about: "With less it can't be it: a payout leaves as a whole.",
      out: 609_000,
      narration: "NIP TRF TO BISI OJO/{bisi}",
      candidates: [
        "payout_reference: payout bisi, ₦610,000, not to be chosen. The reference of a payout, but its amount is ₦610,000. A payout leaves as a whole: ₦610,000.",
      ],
    },
    { about: "One line has shown it leaving.", out: 720_000, narration: "{seen}", shows: [{ payout: "seen" }] },
    {
      about: "A second one may have paid it twice.",
      out: 720_000,
      narration: "NIP TRF TO CHIDI EZE/{seen}",
      candidates: [
        "payout_reference: payout seen by a second debit, ₦720,000, not to be chosen. The reference of a payout that a line shows leaving already: it may have been paid twice.",
      ],
    },
    {
      about: "One that people declared failed left after all: two may book it as a loss.",
      out: 830_000,
      narration: "NIP TRF TO DAYO ALABI/{late}",
      candidates: [
        "payout_reference: payout late by a second debit, ₦830,000, not to be chosen. This payout was declared failed, and another took its place: it left after all, and may be paid twice. Ask the bank to give it back, or let two owners book it as a loss.",
      ],
    },
    { about: "By its amount alone it isn't looked for.", out: 830_000, narration: "POS PURCHASE", candidates: [] },
    {
      about: "Without its reference a payout is only possible, also where it is all of a run.",
      out: 940_000,
      narration: "POS PURCHASE",
      candidates: ["amount: payout efe, ₦940,000. The amount of a payout that was sent and not seen leaving."],
    },
    {
      about: "A reference that the import left out is found in the line's texts, and a person looks.",
      out: 150_000,
      narration: "NIP TRF TO FEMI BELLO/{femi}",
      isOlderThanReference: true,
      candidates: [
        "payout_reference: payout femi, ₦150,000. The reference of a payout, and its amount, but it wasn't taken for one when the line was imported.",
      ],
    },
    {
      about: "Nothing leaves before its file was given to the bank.",
      out: 260_000,
      on: "2026-11-19",
      narration: "POS PURCHASE",
      candidates: [],
    },
    {
      about: "The same sum came to our other account on these days: it may be a transfer there.",
      out: 370_000,
      narration: "TRF/{own}",
      as: "out",
      candidates: [
        "payout_reference: payout own, ₦370,000. The reference of a payout, and its amount, but it may be a transfer to another of our accounts: look at their statements.",
        "own_transfer: line into, ₦370,000. The same amount moved on another of our accounts within three days.",
      ],
    },
    {
      about: "The other end of it is only that.",
      in: 370_000,
      account: "savings",
      narration: "TRF FROM GONA",
      as: "into",
      candidates: [
        "own_transfer: line out, ₦370,000. The same amount moved on another of our accounts within three days.",
      ],
    },
  ],
};
