import type { Scene } from "#tests/support/matching-scenes.ts";

export const cameBack: Scene = {
  about: "credits by which payouts come back",
  payouts: {
    ada: { to: "Adaeze Okafor", naira: 500_000 },
    bisi: { to: "Bisi Ojo", naira: 610_000 },
    chidi: { to: "Chidi Eze", naira: 720_000 },
    dayo: { to: "Dayo Alabi", naira: 830_000 },
    old: { to: "Efe Oghene", naira: 940_000 },
    older: { to: "Femi Bello", naira: 150_000 },
  },
  runs: { old: { exportedOn: "2026-10-22" }, older: { exportedOn: "2026-10-21" } },
  lines: [
    {
      about: "A credit with a payout's reference and its sum: it came back, and a person says so.",
      in: 500_000,
      narration: "RTN NIP/{ada}",
      candidates: ["came_back: return of ada, ₦500,000. The reference of a payout, and its amount: it came back."],
    },
    {
      about: "With less than its sum the bank kept charges.",
      in: 609_000,
      narration: "RTN NIP/{bisi}",
      candidates: [
        "came_back: return of bisi, ₦610,000. The reference of a payout, which came back for ₦1,000 less than was sent: ₦609,000 of ₦610,000.",
      ],
    },
    { about: "One line has shown it.", in: 720_000, narration: "RTN/{chidi}", shows: [{ returned: "chidi" }] },
    {
      about: "A second one can't show it again.",
      in: 720_000,
      narration: "RTN/{chidi}",
      candidates: [
        "came_back: return of chidi, ₦720,000, not to be chosen. The reference of a payout that came back already.",
      ],
    },
    {
      about: "A name that failed: without the reference the words of a return and the amount are a suggestion.",
      in: 830_000,
      narration: "FAILED NIP NAME MISMATCH DAYO ALABI",
      candidates: ["came_back: return of dayo, ₦830,000. A reversal, with the amount of a payout of these weeks."],
    },
    { about: "Without such words the amount says nothing.", in: 830_000, narration: "NIP/DAYO ALABI", candidates: [] },
    {
      about: "Thirty days after it was sent it may still come back,",
      in: 940_000,
      narration: "RETURNED",
      candidates: ["came_back: return of old, ₦940,000. A reversal, with the amount of a payout of these weeks."],
    },
    { about: "and then it isn't looked for.", in: 150_000, narration: "RETURNED", candidates: [] },
  ],
};
