import type { Scene } from "#tests/support/matching-scenes.ts";

const alike = "The missing amount, a name that is alike, and a receipt of these days.";

export const namesAndAmounts: Scene = {
  about: "credits without our reference",
  payments: {
    ada: { from: "Adaeze Okafor", naira: 731_000 },
    musa: { from: "Musa Ibrahim", naira: 731_000 },
    bisi: { from: "Bisi Ojo", naira: 842_000 },
    gone: { from: "Chidi Eze", naira: 953_000, status: "rejected" },
    approved: { from: "Dayo Alabi", naira: 164_000, status: "approved" },
  },
  sales: { fish: { buyer: "Ibadan Fish Market", naira: 842_000 } },
  lines: [
    {
      about: "The missing amount and a name that is alike are likely, the amount alone is possible.",
      in: 731_000,
      narration: "NIP/GTB/OKAFOR ADAEZE/farm",
      candidates: [
        `alike_name: payment ada, ₦731,000. ${alike}`,
        "amount: payment musa, ₦731,000. Only the amount fits.",
      ],
    },
    {
      about: "The name may stand in the bank's column for it.",
      in: 731_000,
      narration: "NIP TRANSFER 000123",
      counterparty: "IBRAHIM MUSA",
      candidates: [
        `alike_name: payment musa, ₦731,000. ${alike}`,
        "amount: payment ada, ₦731,000. Only the amount fits.",
      ],
    },
    {
      about: "Five days after the receipt the name still counts,",
      in: 731_000,
      on: "2026-11-26",
      narration: "NIP/GTB/OKAFOR ADAEZE",
      candidates: [
        `alike_name: payment ada, ₦731,000. ${alike}`,
        "amount: payment musa, ₦731,000. Only the amount fits.",
      ],
    },
    {
      about: "and on the sixth it doesn't any more.",
      in: 731_000,
      on: "2026-11-27",
      narration: "NIP/GTB/OKAFOR ADAEZE",
      candidates: [
        "amount: payment ada, ₦731,000. Only the amount fits.",
        "amount: payment musa, ₦731,000. Only the amount fits.",
      ],
    },
    {
      about: "A transfer may be a day older than its receipt,",
      in: 731_000,
      on: "2026-11-20",
      narration: "NIP/GTB/OKAFOR ADAEZE",
      candidates: [
        `alike_name: payment ada, ₦731,000. ${alike}`,
        "amount: payment musa, ₦731,000. Only the amount fits.",
      ],
    },
    {
      about: "but not two.",
      in: 731_000,
      on: "2026-11-19",
      narration: "NIP/GTB/OKAFOR ADAEZE",
      candidates: [
        "amount: payment ada, ₦731,000. Only the amount fits.",
        "amount: payment musa, ₦731,000. Only the amount fits.",
      ],
    },
    {
      about: "A payment goes before a sale, where only the amount fits both.",
      in: 842_000,
      narration: "CASH DEPOSIT",
      candidates: [
        "amount: payment bisi, ₦842,000. Only the amount fits.",
        "amount: sale fish, ₦842,000. This amount is missing of the sale.",
      ],
    },
    {
      about: "A payment that was rejected waits for no money.",
      in: 953_000,
      narration: "NIP/GTB/CHIDI EZE",
      candidates: [],
    },
    {
      about: "One that was approved before the bank showed it does.",
      in: 164_000,
      narration: "NIP/GTB/DAYO ALABI",
      candidates: [`alike_name: payment approved, ₦164,000. ${alike}`],
    },
    {
      about: "A naira less is nobody's.",
      in: 730_999,
      narration: "NIP/GTB/OKAFOR ADAEZE",
      candidates: [],
    },
  ],
};
