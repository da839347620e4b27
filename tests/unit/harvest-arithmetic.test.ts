import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  allot,
  byLargestRemainder,
  type Choice,
  type DeductibleCost,
  produceValue,
  settle,
  settleInsurance,
} from "#shared/harvests/arithmetic.ts";
import { formatNairaExact, type Kobo, nairaToKobo } from "#shared/money.ts";
import { quantityText } from "#shared/projects/terms-texts.ts";
import { isLong } from "#tests/support/length.ts";

/** A property that holds of whatever is drawn. */
const holds = <Drawn>(drawn: fc.Arbitrary<Drawn>, check: (drawn: Drawn) => void): void =>
  fc.assert(fc.property(drawn, check), { numRuns: isLong ? 10_000 : 300 });

const sumOf = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n);
const smaller = (one: bigint, other: bigint) => (one < other ? one : other);
const absolute = (value: bigint) => (value < 0n ? -value : value);

/** True where the part is its exact share, or that rounded down or up to the next whole number. */
const isRoundedShare = (part: bigint, total: bigint, weight: bigint, whole: bigint) =>
  whole === 0n ? part === 0n : absolute(part * whole - total * weight) < whole;

/** Draws tiny numbers, where ties and zeros are common, as often as huge ones. */
const upTo = (max: bigint) =>
  fc.oneof(fc.bigInt({ min: 0n, max: 6n }), fc.bigInt({ min: 0n, max: 5000n }), fc.bigInt({ min: 0n, max }));
const quantities = upTo(10n ** 12n);
const proceeds = upTo(10n ** 15n);
const backingIds = fc.uniqueArray(fc.integer({ min: 1, max: 2_000_000_000 }), { maxLength: 12 });
const choices = fc.record({ taken: quantities, given: quantities, sold: quantities });

const harvests = backingIds
  .chain((ids) =>
    fc.record({
      quantity: quantities,
      farmPartRate: fc.integer({ min: 0, max: 9000 }),
      weights: fc.tuple(
        ...ids.map((backingId) => fc.record({ backingId: fc.constant(backingId), weightKobo: proceeds })),
      ),
      choices: fc
        .tuple(...ids.map((backingId) => fc.tuple(fc.constant(backingId), fc.option(choices, { nil: undefined }))))
        .map((made) => new Map(made.flatMap(([id, choice]): [number, Choice][] => (choice ? [[id, choice]] : [])))),
      referencePriceKobo: proceeds,
    }),
  )
  // Where nobody has a weight, nothing can be allotted: a test of its own.
  .filter(({ weights }) => weights.some(({ weightKobo }) => weightKobo > 0n));

const costs = fc
  .array(fc.record({ amountKobo: proceeds, paidBy: fc.constantFrom<DeductibleCost["paidBy"]>("platform", "farm") }), {
    maxLength: 4,
  })
  .map((drawn) => drawn.map((cost, place): DeductibleCost => ({ id: `cost ${place}`, ...cost })));

const sales = backingIds
  .chain((ids) =>
    fc.record({
      proceedsKobo: proceeds,
      openCosts: costs,
      pool: fc.tuple(...ids.map((backingId) => fc.record({ backingId: fc.constant(backingId), quantity: quantities }))),
      farmQuantity: quantities,
      rates: fc.record({
        fee: fc.integer({ min: 0, max: 3000 }),
        vat: fc.integer({ min: 0, max: 2000 }),
        wht: fc.integer({ min: 0, max: 2000 }),
      }),
    }),
  )
  .filter(({ pool, farmQuantity }) => farmQuantity > 0n || pool.some(({ quantity }) => quantity > 0n));

describe("the worked example", () => {
  const [A, B, C] = [1, 2, 3];
  const allotment = allot({
    quantity: 2_514_250n,
    farmPartRate: 1000,
    weights: [
      { backingId: A, weightKobo: nairaToKobo(3_000_000) },
      { backingId: B, weightKobo: nairaToKobo(1_200_000) },
      { backingId: C, weightKobo: nairaToKobo(500_000) },
    ],
    choices: new Map([
      [B, { taken: 200_000n, given: 0n, sold: 377_743n }],
      [C, { taken: 240_726n, given: 0n, sold: 0n }],
    ]),
    referencePriceKobo: nairaToKobo(2750),
  });
  const sold = [nairaToKobo(2750), nairaToKobo(2685)];
  const proceedsKobo = produceValue(1_298_000n, sold[0] ?? 0n) + produceValue(775_524n, sold[1] ?? 0n);
  const settlement = settle({
    proceedsKobo,
    openCosts: [{ id: "transport", amountKobo: nairaToKobo(185_000), paidBy: "platform" }],
    pool: allotment.rows.map((row) => ({ backingId: row.backingId, quantity: row.sold })),
    farmQuantity: allotment.farmQuantity,
    rates: { fee: 500, vat: 750, wht: 0 },
  });
  const kobo = formatNairaExact;

  test("is allotted as the table says", () => {
    expect(quantityText(allotment.farmQuantity)).toBe("251.425");
    expect(
      allotment.rows.map((row) => [
        row.backingId,
        ...[row.quantity, row.taken, row.given, row.sold].map(quantityText),
        kobo(row.produceValueKobo),
      ]),
    ).toEqual([
      [A, "1,444.356", "0", "0", "1,444.356", "₦0.00"],
      [B, "577.743", "200", "0", "377.743", "₦550,000.00"],
      [C, "240.726", "240.726", "0", "0", "₦661,996.50"],
    ]);
  });

  test("is settled as the table says", () => {
    expect(kobo(settlement.farmKobo)).toBe("₦662,874.24");
    expect(
      settlement.rows.map((row) => [
        row.backingId,
        ...[row.shareKobo, row.feeKobo, row.vatKobo, row.whtKobo, row.netKobo].map(kobo),
      ]),
    ).toEqual([
      [A, "₦3,807,999.95", "₦190,399.99", "₦14,279.99", "₦0.00", "₦3,603,319.97"],
      [B, "₦995,907.75", "₦49,795.38", "₦3,734.65", "₦0.00", "₦942,377.72"],
      [C, "₦0.00", "₦0.00", "₦0.00", "₦0.00", "₦0.00"],
    ]);
    expect(settlement.costsTaken).toEqual([{ id: "transport", amountKobo: 18_500_000n, paidBy: "platform" }]);
    expect(kobo(proceedsKobo)).toBe("₦5,651,781.94");
    expect(Object.fromEntries(Object.entries(settlement.totals).map(([name, total]) => [name, kobo(total)]))).toEqual({
      costsKobo: "₦185,000.00",
      dividedKobo: "₦5,466,781.94",
      shareKobo: "₦4,803,907.70",
      feeKobo: "₦240,195.37",
      vatKobo: "₦18,014.64",
      whtKobo: "₦0.00",
      netKobo: "₦4,545,697.69",
    });
  });
});

describe("by largest remainder", () => {
  test("a total is divided without a rest, and who lost most by rounding gets what is left first", () => {
    const weights = fc.array(proceeds, { minLength: 1, maxLength: 12 }).filter((drawn) => sumOf(drawn) > 0n);
    holds(fc.tuple(proceeds, weights), ([total, drawn]) => {
      const whole = sumOf(drawn);
      const parts = byLargestRemainder(total, drawn);
      expect(sumOf(parts)).toBe(total);
      const rows = parts.map((part, place) => {
        const exact = total * (drawn[place] ?? 0n);
        expect([exact / whole, exact / whole + 1n]).toContain(part);
        return { place, remainder: exact % whole, isRaised: part > exact / whole };
      });
      for (const raised of rows.filter((row) => row.isRaised)) {
        for (const other of rows.filter((row) => !row.isRaised)) {
          const isTie = raised.remainder === other.remainder;
          expect(raised.remainder > other.remainder || (isTie && raised.place < other.place)).toBe(true);
        }
      }
    });
    expect(byLargestRemainder(0n, [0n, 0n])).toEqual([0n, 0n]);
    expect(byLargestRemainder(0n, [])).toEqual([]);
  });

  test.each([
    ["a total without weights", 1n, []],
    ["a total against weights of nothing", 1n, [0n, 0n]],
    ["a negative total", -1n, [1n]],
    ["a negative weight", 1n, [2n, -1n]],
  ])("%s is refused", (_name, total, weights) => {
    expect(() => byLargestRemainder(total, weights)).toThrow(RangeError);
  });
});

describe("an allotment", () => {
  const two = [
    { backingId: 10, weightKobo: 1n },
    { backingId: 9, weightKobo: 1n },
  ];
  const plain = { farmPartRate: 0, weights: two, choices: new Map<number, Choice>(), referencePriceKobo: 100n };

  test("gives out the whole harvest, follows choices, and cuts in proportion those that are too large", () => {
    holds(harvests, (harvest) => {
      const { farmQuantity, rows } = allot(harvest);
      const whole = sumOf(harvest.weights.map(({ weightKobo }) => weightKobo));
      expect(farmQuantity).toBe((harvest.quantity * BigInt(harvest.farmPartRate)) / 10_000n);
      expect(farmQuantity + sumOf(rows.map(({ quantity }) => quantity))).toBe(harvest.quantity);
      const ids = harvest.weights.map(({ backingId }) => backingId).sort((a, b) => a - b);
      expect(rows.map(({ backingId }) => backingId)).toEqual(ids);
      for (const row of rows) {
        const weight = harvest.weights.find(({ backingId }) => backingId === row.backingId)?.weightKobo ?? 0n;
        expect(isRoundedShare(row.quantity, harvest.quantity - farmQuantity, weight, whole)).toBe(true);
        expect(row.quantity).toBe(row.taken + row.given + row.sold);
        expect(row.produceValueKobo).toBe((row.taken * harvest.referencePriceKobo) / 1000n);
        const choice = harvest.choices.get(row.backingId) ?? { taken: 0n, given: 0n, sold: 0n };
        const chosen = choice.taken + choice.given + choice.sold;
        const isFollowed = chosen <= row.quantity;
        if (isFollowed) expect(row).toMatchObject({ taken: choice.taken, given: choice.given });
        for (const part of ["taken", "given", "sold"] as const) {
          expect(row[part]).toBeGreaterThanOrEqual(0n);
          expect(isFollowed || isRoundedShare(row[part], row.quantity, choice[part], chosen)).toBe(true);
        }
      }
    });
  });

  test("doesn't depend on the order of the rows", () => {
    const shuffled = harvests.chain((harvest) =>
      fc.record({
        harvest: fc.constant(harvest),
        weights: fc.shuffledSubarray([...harvest.weights], { minLength: harvest.weights.length }),
        choices: fc.shuffledSubarray([...harvest.choices], { minLength: harvest.choices.size }),
      }),
    );
    holds(shuffled, ({ harvest, weights, choices: made }) => {
      expect(allot({ ...harvest, weights, choices: new Map(made) })).toEqual(allot(harvest));
    });
  });

  test("gives the odd thousandth to the lower backing id, and of a choice to taken before given before sold", () => {
    const { rows } = allot({ ...plain, quantity: 3n });
    expect(rows).toMatchObject([
      { backingId: 9, quantity: 2n },
      { backingId: 10, quantity: 1n },
    ]);
    const cut = allot({ ...plain, quantity: 4n, choices: new Map([[9, { taken: 1n, given: 1n, sold: 1n }]]) });
    expect(cut.rows[0]).toMatchObject({ quantity: 2n, taken: 1n, given: 1n, sold: 0n });
  });

  test.each([
    ["a harvest without backers", { weights: [] }, "nobody"],
    ["a backing that stands twice", { weights: [...two, ...two] }, "twice"],
    ["a choice without a weight", { choices: new Map([[8, { taken: 0n, given: 0n, sold: 0n }]]) }, "without a weight"],
    ["a negative choice", { choices: new Map([[9, { taken: -1n, given: 1n, sold: 0n }]]) }, "negative"],
    ["a negative quantity", { quantity: -1n }, "negative"],
    ["a negative price", { referencePriceKobo: -1n }, "negative"],
    ["a negative part of the farm", { farmPartRate: -1 }, "negative"],
    ["a part of the farm beyond all", { farmPartRate: 10_001 }, "more than the harvest"],
    ["half a basis point", { farmPartRate: 0.5 }, "integer"],
  ])("refuses %s", (_name, change, message) => {
    expect(() => allot({ ...plain, quantity: 10_000n, ...change })).toThrow(message);
  });

  test("of nothing is nothing, also where nobody has a weight", () => {
    expect(allot({ ...plain, quantity: 0n, weights: [] })).toEqual({ farmQuantity: 0n, rows: [] });
  });
});

describe("a settlement", () => {
  const pool = [{ backingId: 1, quantity: 3n }];
  const noRates = { fee: 0, vat: 0, wht: 0 };
  const plain = { proceedsKobo: 1000n, openCosts: [], pool, farmQuantity: 0n, rates: noRates };
  const cost = (id: string, amountKobo: Kobo): DeductibleCost => ({ id, amountKobo, paidBy: "farm" });

  test("gives out the whole sales: each cost whole before the next, then exact shares but for one kobo", () => {
    holds(sales, (sale) => {
      const { costsTaken, rows, farmKobo, totals } = settle(sale);
      const openKobo = sumOf(sale.openCosts.map(({ amountKobo }) => amountKobo));
      const costsKobo = sumOf(costsTaken.map(({ amountKobo }) => amountKobo));
      const dividedKobo = sale.proceedsKobo - costsKobo;
      const whole = sale.farmQuantity + sumOf(sale.pool.map(({ quantity }) => quantity));
      const paid = rows.flatMap((row) => [row.netKobo, row.feeKobo, row.vatKobo, row.whtKobo]);

      expect(costsKobo + farmKobo + sumOf(paid)).toBe(sale.proceedsKobo);
      expect(costsKobo).toBe(smaller(openKobo, sale.proceedsKobo));
      const asked = sale.openCosts.filter(({ amountKobo }) => amountKobo > 0n).slice(0, costsTaken.length);
      expect(costsTaken.map(({ id, paidBy }) => [id, paidBy])).toEqual(asked.map(({ id, paidBy }) => [id, paidBy]));
      expect(costsTaken.slice(0, -1)).toEqual(asked.slice(0, -1));
      expect(costsTaken.every(({ amountKobo }) => amountKobo > 0n)).toBe(true);
      expect(isRoundedShare(farmKobo, dividedKobo, sale.farmQuantity, whole)).toBe(true);
      for (const part of [farmKobo, ...paid]) expect(part).toBeGreaterThanOrEqual(0n);
      for (const row of rows) {
        const quantity = sale.pool.find(({ backingId }) => backingId === row.backingId)?.quantity ?? 0n;
        expect(isRoundedShare(row.shareKobo, dividedKobo, quantity, whole)).toBe(true);
        expect(row.feeKobo).toBe((row.shareKobo * BigInt(sale.rates.fee)) / 10_000n);
        expect(row.vatKobo).toBe((row.feeKobo * BigInt(sale.rates.vat)) / 10_000n);
        expect(row.whtKobo).toBe((row.shareKobo * BigInt(sale.rates.wht)) / 10_000n);
        expect(row.netKobo).toBe(row.shareKobo - row.feeKobo - row.vatKobo - row.whtKobo);
      }
      const total = (part: "feeKobo" | "vatKobo" | "whtKobo" | "netKobo") => sumOf(rows.map((row) => row[part]));
      expect(totals).toEqual({
        costsKobo,
        dividedKobo,
        shareKobo: dividedKobo - farmKobo,
        feeKobo: total("feeKobo"),
        vatKobo: total("vatKobo"),
        whtKobo: total("whtKobo"),
        netKobo: total("netKobo"),
      });
    });
  });

  test("doesn't depend on the order of the rows", () => {
    const shuffled = sales.chain((sale) =>
      fc.tuple(fc.constant(sale), fc.shuffledSubarray([...sale.pool], { minLength: sale.pool.length })),
    );
    holds(shuffled, ([sale, rows]) => {
      expect(settle({ ...sale, pool: rows })).toEqual(settle(sale));
    });
  });

  test("in two parts gives everybody what one of their sum does but for five kobo, a kobo of it by the division", () => {
    holds(fc.tuple(sales, proceeds), ([sale, laterKobo]) => {
      const first = settle(sale);
      const takenOf = (id: string) => first.costsTaken.find((taken) => taken.id === id)?.amountKobo ?? 0n;
      const open = sale.openCosts.map((it) => ({ ...it, amountKobo: it.amountKobo - takenOf(it.id) }));
      const later = settle({ ...sale, proceedsKobo: laterKobo, openCosts: open });
      const both = settle({ ...sale, proceedsKobo: sale.proceedsKobo + laterKobo });

      expect(first.totals.dividedKobo + later.totals.dividedKobo).toBe(both.totals.dividedKobo);
      expect(absolute(first.farmKobo + later.farmKobo - both.farmKobo)).toBeLessThanOrEqual(1n);
      for (const [place, row] of both.rows.entries()) {
        const differenceOf = (part: "shareKobo" | "netKobo") =>
          absolute((first.rows[place]?.[part] ?? 0n) + (later.rows[place]?.[part] ?? 0n) - row[part]);
        expect(differenceOf("shareKobo")).toBeLessThanOrEqual(1n);
        expect(differenceOf("netKobo")).toBeLessThanOrEqual(5n);
      }
    });
  });

  test.each([
    [4n, [2n, 1n], 1n],
    [5n, [2n, 2n], 1n],
  ])("gives odd kobo of %d to the lower backing ids, and to the farm last", (proceedsKobo, shares, farms) => {
    const rows = [10, 9].map((backingId) => ({ backingId, quantity: 1n }));
    const { rows: settled, farmKobo } = settle({ ...plain, proceedsKobo, pool: rows, farmQuantity: 1n });
    expect(settled.map(({ backingId, shareKobo }) => [backingId, shareKobo])).toEqual([
      [9, shares[0]],
      [10, shares[1]],
    ]);
    expect(farmKobo).toBe(farms);
  });

  test("without sales pays nobody where nothing was sold", () => {
    expect(settle({ ...plain, proceedsKobo: 0n, pool: [] })).toMatchObject({ costsTaken: [], farmKobo: 0n, rows: [] });
  });

  test("may hold back all of a share, and no more", () => {
    const all = settle({ ...plain, rates: { fee: 5000, vat: 10_000, wht: 0 } });
    expect(all.rows).toMatchObject([{ feeKobo: 500n, vatKobo: 500n, netKobo: 0n }]);
    expect(() => settle({ ...plain, rates: { fee: 5000, vat: 10_000, wht: 1 } })).toThrow("more than the share");
  });

  test.each([
    ["sales where nothing was sold", { pool: [] }, "nothing was sold"],
    ["sales where everything was taken", { pool: [{ backingId: 1, quantity: 0n }] }, "nothing was sold"],
    ["those even where costs take them whole", { pool: [], openCosts: [cost("a", 1000n)] }, "nothing was sold"],
    ["a backing that stands twice", { pool: [...plain.pool, ...plain.pool] }, "twice"],
    ["negative sales", { proceedsKobo: -1n }, "negative"],
    ["a negative cost", { openCosts: [cost("a", -1n)] }, "negative"],
    ["a negative cost after the sales are used up", { openCosts: [cost("a", 1000n), cost("b", -1n)] }, "negative"],
    ["a negative quantity", { pool: [{ backingId: 1, quantity: -1n }] }, "negative"],
    ["a negative quantity of the farm", { farmQuantity: -1n }, "negative"],
    ["a negative rate", { rates: { fee: 100, vat: 0, wht: -1 } }, "negative"],
    ["half a basis point", { rates: { fee: 0.5, vat: 0, wht: 0 } }, "integer"],
  ])("refuses %s", (_name, change, message) => {
    expect(() => settle({ ...plain, ...change })).toThrow(message);
  });
});

describe("an insurance sum", () => {
  const weights = [
    { backingId: 2, weightKobo: nairaToKobo(1) },
    { backingId: 1, weightKobo: nairaToKobo(2) },
  ];

  test("is divided by the weights, without a fee, VAT or the farm", () => {
    const { rows, farmKobo, totals } = settleInsurance({ proceedsKobo: 1000n, openCosts: [], weights, whtRate: 1000 });
    expect(rows).toEqual([
      { backingId: 1, shareKobo: 667n, feeKobo: 0n, vatKobo: 0n, whtKobo: 66n, netKobo: 601n },
      { backingId: 2, shareKobo: 333n, feeKobo: 0n, vatKobo: 0n, whtKobo: 33n, netKobo: 300n },
    ]);
    expect([farmKobo, totals.feeKobo, totals.vatKobo, totals.netKobo]).toEqual([0n, 0n, 0n, 901n]);
  });

  test("without weights is refused", () => {
    expect(() => settleInsurance({ proceedsKobo: 1n, openCosts: [], weights: [], whtRate: 0 })).toThrow(RangeError);
  });
});
