import { expect, test } from "vitest";
import { receiptContent } from "#server/features/papers/contents/receipts.ts";
import { settlementContent, taxContent } from "#server/features/papers/contents/settlements.ts";
import { dueAfter, type Statement, statementContent } from "#server/features/papers/contents/statements.ts";
import { allot, settle } from "#shared/harvests/arithmetic.ts";
import { paperNumber, readPaperCode } from "#shared/papers/texts.ts";
import { gona } from "#tests/support/site.ts";

/** The contents of papers, made from rows alone. */

const issuer = { ...gona, supportEmail: "help@gona.example" };
const at = new Date("2026-11-21T09:00:00Z");
const weights = [3_000_000_00n, 1_200_000_00n, 500_000_00n].map((weightKobo, index) => ({
  backingId: index + 1,
  weightKobo,
}));

/** The worked example: Q 2,514.25 kg, 10% to the farm, B takes 200 kg and C all; fee 5%, VAT 7.5%. */
const workedExample = () => {
  const choices = new Map([
    [2, { taken: 200_000n, given: 0n, sold: 377_743n }],
    [3, { taken: 240_726n, given: 0n, sold: 0n }],
  ]);
  const quantity = 2_514_250n;
  const allotted = allot({ quantity, farmPartRate: 1000, weights, choices, referencePriceKobo: 275_000n });
  const proceedsKobo = 565_178_194n;
  const settlement = settle({
    proceedsKobo,
    openCosts: [{ id: "1", amountKobo: 18_500_000n, paidBy: "platform" }],
    farmQuantity: allotted.farmQuantity,
    pool: allotted.rows.filter(({ sold }) => sold > 0n).map(({ backingId, sold }) => ({ backingId, quantity: sold })),
    rates: { fee: 500, vat: 750, wht: 0 },
  });
  const settled = {
    projectTitle: "Snails of Epe",
    round: 1,
    harvestNumber: 1,
    isInsurance: false,
    unit: "kg" as const,
    number: 1,
    pool: "sold" as const,
    createdAt: at,
    proceedsKobo,
    costsKobo: 18_500_000n,
    feeRate: 500,
    vatRate: 750,
    whtRate: 0,
    whole: 2_073_524n,
  };
  const contentOf = (backingId: number, { isCollected = true } = {}) => {
    const part = settlement.rows.find((row) => row.backingId === backingId);
    const mine = allotted.rows.find((row) => row.backingId === backingId);
    if (!part || !mine) throw new Error("no part");
    const { taken, given, sold, produceValueKobo: produceKobo } = mine;
    const produce = isCollected
      ? { taken, uncollected: 0n, produceKobo }
      : { taken: 0n, uncollected: taken, produceKobo: 0n };
    return settlementContent(
      settled,
      {
        ...part,
        userId: "b",
        fullName: "Adéọlá Ọṣun",
        weight: sold,
        struckKobo: 0n,
        allotted: { quantity: mine.quantity, given, sold, ...produce },
      },
      issuer,
    );
  };
  return { contentOf };
};

test("the worked example's statement says to the kobo what B gets, line by line", () => {
  const [part, calculation] = workedExample().contentOf(2).tables;
  expect(part).toMatchObject({
    rows: [
      ["Taken as produce (worth ₦550,000.00 at the price used for estimates)", "200 kg"],
      ["Donated", "0 kg"],
      ["Sold", "377.743 kg"],
    ],
    sums: [["Your share", "577.743 kg"]],
  });
  expect(calculation).toMatchObject({
    rows: [
      ["Proceeds of the sales", "₦5,651,781.94"],
      ["Costs under the terms", "−₦185,000.00"],
      ["Left to divide", "₦5,466,781.94"],
      ["Your share: 377.743 of 2,073.524 kg", "₦995,907.75"],
      ["Our fee, 5% of your share", "−₦49,795.38"],
      ["VAT, 7.5% of our fee", "−₦3,734.65"],
    ],
    sums: [["You get", "₦942,377.72"]],
  });
  expect(workedExample().contentOf(1).tables[1]?.sums).toEqual([["You get", "₦3,603,319.97"]]);
});

test("what was not collected in time is not said to be taken", () => {
  expect(workedExample().contentOf(2, { isCollected: false }).tables[0]).toMatchObject({
    rows: [
      ["Taken as produce", "0 kg"],
      ["Not collected in time, sold for you", "200 kg"],
      ["Donated", "0 kg"],
      ["Sold", "377.743 kg"],
    ],
    sums: [["Your share", "577.743 kg"]],
  });
});

test("a receipt says who paid what for which lots, and names no account", () => {
  const content = receiptContent(
    {
      fullName: "Adéọlá Ọṣun",
      projectTitle: "Snails\nof Epe",
      lots: 3,
      amountKobo: 15_000_000n,
      reference: "GONA-7K3P-9Q2M",
      round: 2,
      decidedAt: at,
    },
    { ...issuer, address: "Bompai House\n27 Murtala Way,\nKano" },
  );
  expect(content.facts[0]).toEqual({ label: "Received from", value: "Adéọlá Ọṣun" });
  expect(content.facts[1]?.value).toBe("Snails of Epe, round 2");
  expect(content.facts.at(-1)?.value).toContain("Bompai House, 27 Murtala Way, Kano, help@gona.example");
  expect(content.tables[0]).toMatchObject({
    rows: [["3 lots", "₦50,000.00", "₦150,000.00"]],
    sums: [["Paid", "", "₦150,000.00"]],
  });
});

test("whoever closed their account is Unknown", () => {
  const row = { lots: 1, amountKobo: 1n, reference: "R", round: 1, decidedAt: at, projectTitle: "Snails" };
  expect(receiptContent({ ...row, fullName: "" }, issuer).facts[0]?.value).toBe("Unknown");
});

test("a statement's sums add up, with what was taken back as a second line", () => {
  const statement: Statement = {
    fullName: "Ada",
    firstDay: "2026-01-01",
    lastDay: "2026-12-31",
    dueBeforeKobo: 500n,
    paid: [
      { at, projectTitle: "Snails", reference: "R1", kobo: 10_000n },
      { at, projectTitle: "Snails", reference: "R1", kobo: -10_000n },
    ],
    refunds: [{ at, projectTitle: "Snails", reason: "not_approved", kobo: 10_000n }],
    settled: [{ at, projectTitle: "Maize", shareKobo: 300n, feeKobo: 20n, vatKobo: 1n, whtKobo: 9n, netKobo: 270n }],
    payouts: [
      { at, projectTitle: "Snails", kind: "refund", reference: "GP-1", kobo: 10_000n },
      { at, projectTitle: "Snails", kind: "refund", reference: "GP-1", kobo: -10_000n },
      { at, projectTitle: "Snails", kind: "refund", reference: "GP-2", kobo: 10_000n },
    ],
  };
  expect(dueAfter(statement)).toBe(770n);
  const { tables } = statementContent(statement, issuer);
  expect(tables.map(({ heading, sums }) => [heading, sums[0]?.at(-1)])).toEqual([
    ["Payments approved", "₦0.00"],
    ["Refunds due", "₦100.00"],
    ["Harvests settled", "₦2.70"],
    ["Paid out to you", "₦100.00"],
    ["What is owed to you", "₦7.70"],
  ]);
  expect(tables.at(-1)?.rows.map(([, amount]) => amount)).toEqual(["₦5.00", "₦100.00", "₦2.70", "−₦100.00"]);
  for (const { columns, rows, sums } of tables)
    for (const cells of [...rows, ...sums]) expect(cells).toHaveLength(columns.length);
});

test("a list of tax has its sum", () => {
  const row = { at, projectTitle: "Maize", shareKobo: 1000n, whtRate: 1000, whtKobo: 100n };
  const { tables } = taxContent(
    "2026",
    [
      { ...row, fullName: "Ada" },
      { ...row, fullName: "" },
    ],
    issuer,
  );
  expect(tables[0]?.rows.map(([, name]) => name)).toEqual(["Ada", "Unknown"]);
  expect(tables[0]?.sums).toEqual([["All", "", "", "₦20.00", "", "₦2.00"]]);
});

test("numbers and codes are read as people type them", () => {
  expect(paperNumber(gona, { kind: "receipt", year: 2026, sequence: 123 })).toBe("GR-2026-000123");
  expect(readPaperCode(" 7k3p-9q2m 4dxw-obil ")).toBe("7K3P9Q2M4DXW0B11");
});
