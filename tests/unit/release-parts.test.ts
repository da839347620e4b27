import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  divideIntoParts,
  duesOfParts,
  partsOf,
  placesOfMoney,
  type ReleasePart,
  releasableOfParts,
  releasePartLimits,
} from "#shared/projects/release-parts.ts";
import { termsForm, termsFieldTexts as texts } from "#shared/projects/terms.ts";
import { defaultTerms, termsClauses } from "#shared/projects/terms-texts.ts";
import { isLong } from "#tests/support/length.ts";

const holds = <Drawn>(drawn: fc.Arbitrary<Drawn>, check: (drawn: Drawn) => void): void =>
  fc.assert(fc.property(drawn, check), { numRuns: isLong ? 10_000 : 300 });

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n);
const sizes = fc.oneof(fc.bigInt({ min: 0n, max: 12n }), fc.bigInt({ min: 0n, max: 10n ** 15n }));

/** One to six parts whose rates sum to the whole. */
const rates = fc
  .uniqueArray(fc.integer({ min: 1, max: 9_999 }), { maxLength: releasePartLimits.parts - 1 })
  .map((cuts) => {
    const ends = [...cuts.sort((one, other) => one - other), 10_000];
    return ends.map((end, place) => ({ rate: end - (ends[place - 1] ?? 0) }));
  });
const gone = fc.array(sizes, { minLength: 6, maxLength: 6 });

describe("the amounts of parts", () => {
  test("sum to what was raised, to the kobo, and none is a kobo from its rate", () => {
    holds(fc.tuple(sizes, rates), ([raisedKobo, parts]) => {
      const amounts = divideIntoParts(raisedKobo, parts);
      expect(sumOf(amounts)).toBe(raisedKobo);
      amounts.forEach((amount, place) => {
        const exact = raisedKobo * BigInt(parts[place]?.rate ?? 0);
        expect(amount * 10_000n - exact).toBeLessThan(10_000n);
        expect(amount * 10_000n - exact).toBeGreaterThan(-10_000n);
      });
    });
  });

  test("a kobo that is left goes to the part that lost most, of equals to the earlier one", () => {
    expect(divideIntoParts(100n, [{ rate: 3333 }, { rate: 3333 }, { rate: 3334 }])).toEqual([33n, 33n, 34n]);
    expect(divideIntoParts(1n, [{ rate: 5000 }, { rate: 5000 }])).toEqual([1n, 0n]);
    expect(divideIntoParts(0n, [{ rate: 4000 }, { rate: 6000 }])).toEqual([0n, 0n]);
  });

  test("terms that name none have one part, which is all", () => {
    expect(partsOf([])).toMatchObject([{ rate: 10_000, proof: "", afterDays: 0 }]);
    holds(sizes, (raisedKobo) => {
      expect(divideIntoParts(raisedKobo, partsOf([]))).toEqual([raisedKobo]);
    });
  });
});

describe("what may be released of parts", () => {
  test("is never negative, never more than a part lacks, nor than its farm lacks of it and those before", () => {
    holds(fc.tuple(sizes, rates, gone), ([raisedKobo, parts, atFarm]) => {
      const amounts = divideIntoParts(raisedKobo, parts);
      releasableOfParts(amounts, atFarm).forEach((left, place) => {
        const lacking = (amounts[place] ?? 0n) - (atFarm[place] ?? 0n);
        const lackingSoFar = sumOf(amounts.slice(0, place + 1)) - sumOf(atFarm.slice(0, place + 1));
        expect(left).toBeGreaterThanOrEqual(0n);
        expect(left === 0n || left <= lacking).toBe(true);
        expect(left === 0n || left <= lackingSoFar).toBe(true);
        if (lacking >= 0n && lackingSoFar >= lacking) expect(left).toBe(lacking);
      });
    });
  });

  test("released in their order, all of them go and no more, however each is cut", () => {
    const share = fc.bigInt({ min: 1n, max: 4n });
    holds(fc.tuple(sizes, rates, share), ([raisedKobo, parts, cut]) => {
      const amounts = divideIntoParts(raisedKobo, parts);
      const atFarm = amounts.map(() => 0n);
      parts.forEach((_, place) => {
        const first = (releasableOfParts(amounts, atFarm)[place] ?? 0n) / cut;
        atFarm[place] = first;
        atFarm[place] = first + (releasableOfParts(amounts, atFarm)[place] ?? 0n);
      });
      expect(atFarm).toEqual(amounts);
      expect(releasableOfParts(amounts, atFarm)).toEqual(amounts.map(() => 0n));
    });
  });

  test("an approval that was taken back lessens the parts that are left, so that no more goes than was raised", () => {
    holds(fc.tuple(sizes, sizes, rates, fc.nat({ max: 5 })), ([one, other, parts, released]) => {
      const [less, more] = one < other ? [one, other] : [other, one];
      const before = divideIntoParts(more, parts);
      const atFarm = before.map((amount, place) => (place < released ? amount : 0n));
      fc.pre(sumOf(atFarm) <= less);
      const amounts = divideIntoParts(less, parts);
      parts.forEach((_, place) => {
        if (place < released) return;
        atFarm[place] = releasableOfParts(amounts, atFarm)[place] ?? 0n;
      });
      expect(sumOf(atFarm)).toBeLessThanOrEqual(less);
    });
  });
});

test("the places of a round's money sum to what was raised, and none is negative", () => {
  holds(fc.tuple(sizes, sizes, sizes, sizes), ([raisedKobo, farm, returned, unproven]) => {
    const atFarmKobo = raisedKobo === 0n ? 0n : farm % (raisedKobo + 1n);
    const returnedKobo = returned % (raisedKobo - atFarmKobo + 1n);
    const places = placesOfMoney({ raisedKobo, atFarmKobo, returnedKobo, unprovenKobo: unproven });
    expect(places.atFarmKobo + places.waitingKobo + places.withUsKobo + places.returnedKobo).toBe(raisedKobo);
    expect(Object.values(places).every((kobo) => kobo >= 0n)).toBe(true);
    expect(places.waitingKobo).toBeLessThanOrEqual(unproven);
  });
});

const part = { label: "Chicks and feed", rate: "40", proof: "receipt and photo", afterDays: 0 };
type PartInput = typeof part;
const form = z.object({ releaseParts: termsForm.shape.releaseParts });
const faultsOf = (releaseParts: PartInput[]) =>
  form.safeParse({ releaseParts }).error?.issues.map(({ path, message }) => [path.slice(1).join("."), message]) ?? [];

describe("the form of the parts", () => {
  test("takes up to six whose rates sum to the whole, and none at all", () => {
    expect(faultsOf([])).toEqual([]);
    expect(faultsOf([part, { ...part, rate: "60%", afterDays: 28 }])).toEqual([]);
    holds(rates, (drawn) => {
      const typed = drawn.map(({ rate }) => ({ ...part, rate: (rate / 100).toFixed(2) }));
      expect(form.parse({ releaseParts: typed }).releaseParts.map(({ rate }) => rate)).toEqual(
        drawn.map(({ rate }) => rate),
      );
    });
  });

  test.each<[what: string, parts: PartInput[], faults: string[][]]>([
    ["a sum that is less", [part, { ...part, rate: "59.99" }], [["", texts.partsSum("99.99%")]]],
    ["a sum that is more", [part, { ...part, rate: "60.01" }], [["", texts.partsSum("100.01%")]]],
    ["one part of less than all", [part], [["", texts.partsSum("40%")]]],
    [
      "a part of nothing",
      [
        { ...part, rate: "0" },
        { ...part, rate: "100" },
      ],
      [["0.rate", texts.partRate]],
    ],
    ["three decimals", [{ ...part, rate: "33.333" }, part], [["0.rate", texts.partRate]]],
    ["more than all", [{ ...part, rate: "100.01" }], [["0.rate", texts.partRate]]],
    ["a part without a name", [{ ...part, label: " a ", rate: "100" }], [["0.label", texts.partLabel]]],
    ["a name of two lines", [{ ...part, label: "Chicks\nand feed", rate: "100" }], [["0.label", texts.partLabel]]],
    ["a name of 81 letters", [{ ...part, label: "a".repeat(81), rate: "100" }], [["0.label", texts.partLabel]]],
    ["a proof of 301 letters", [{ ...part, proof: "a".repeat(301), rate: "100" }], [["0.proof", texts.partProof]]],
    ["half a day", [{ ...part, afterDays: 0.5, rate: "100" }], [["0.afterDays", texts.partDays]]],
    ["more than two years", [{ ...part, afterDays: 731, rate: "100" }], [["0.afterDays", texts.partDays]]],
    [
      "a part due before the one above it",
      [
        { ...part, afterDays: 14 },
        { ...part, rate: "60", afterDays: 13 },
      ],
      [["1.afterDays", texts.partOrder]],
    ],
    [
      "seven parts",
      Array.from({ length: 7 }, (_, place) => ({ ...part, rate: place === 0 ? "40" : "10" })),
      [["", texts.partsMany]],
    ],
  ])("refuses %s, and says which", (_what, parts, faults) => {
    expect(faultsOf(parts)).toEqual(faults);
  });
});

describe("the clause of the parts", () => {
  const textOf = (releaseParts: ReleasePart[]) =>
    termsClauses({ ...defaultTerms(500), releaseParts }).find(({ title }) => title === "Money to the farm")?.text;

  test("says that all goes at once where none are agreed", () => {
    expect(textOf([])).toBe("All that is raised goes to the farm once the round is funded.");
  });

  test("names each part with its rate, proof and day, in their order", () => {
    const proof = "receipt and photo";
    const first = { label: "Chicks and feed", rate: 4000, proof, afterDays: 0 };
    const second = { label: "Feed to week 5", rate: 3525, proof: "", afterDays: 1 };
    const third = { label: "Slaughter", rate: 2475, proof, afterDays: 28 };
    const said =
      "The farm asks for each part; one of us checks it, and another releases it. Money that isn't released can be returned to you.";
    expect(textOf([first, second, third])).toBe(
      "The farm gets what is raised in 3 parts, one after the other: 40% for “Chicks and feed” (receipt and photo); " +
        "35.25% for “Feed to week 5”, at the earliest 1 day after the funding; " +
        `24.75% for “Slaughter” (receipt and photo), at the earliest 28 days after the funding. ${said}`,
    );
    expect(textOf([{ ...first, rate: 10_000, proof: "" }])).toBe(
      `The farm gets what is raised in one part: 100% for “Chicks and feed”. ${said}`,
    );
  });

  test("every part that the form takes is read by who pays", () => {
    const label = fc.stringMatching(/^[A-Z][a-z ]{1,30}[a-z]$/);
    holds(fc.tuple(rates, fc.array(label, { minLength: 6, maxLength: 6 })), ([drawn, labels]) => {
      const parts = drawn.map(({ rate }, place) => ({ label: labels[place] ?? "", rate, proof: "", afterDays: 0 }));
      for (const { label: name } of parts) expect(textOf(parts)).toContain(`“${name}”`);
    });
  });
});

describe("what went back to backers", () => {
  const part = (amountKobo: bigint, more: { goneKobo?: bigint; isBegun?: boolean; isSkipped?: boolean } = {}) => ({
    amountKobo,
    goneKobo: 0n,
    isBegun: false,
    isSkipped: false,
    ...more,
  });

  test("isn't released again: a paid back sum is taken from its own part, and not from later ones", () => {
    const parts = [part(400n, { goneKobo: 200n, isBegun: true }), part(300n), part(300n)];
    expect(duesOfParts(parts, 200n)).toEqual([200n, 300n, 300n]);
    expect(releasableOfParts(duesOfParts(parts, 200n), [200n, 0n, 0n])).toEqual([0n, 300n, 300n]);
  });

  test("is taken from parts that are left out first, and then from the last ones", () => {
    const parts = [part(400n, { goneKobo: 400n, isBegun: true }), part(300n, { isSkipped: true }), part(300n)];
    expect(duesOfParts(parts, 300n)).toEqual([400n, 0n, 300n]);
    expect(duesOfParts(parts, 350n)).toEqual([400n, 0n, 250n]);
  });

  test("and after an approval was taken back, a part that is left out gives nothing to the next one", () => {
    const parts = [part(320n, { goneKobo: 400n, isBegun: true }), part(240n, { isSkipped: true }), part(240n)];
    expect(releasableOfParts(duesOfParts(parts, 0n), [400n, 0n, 0n])).toEqual([0n, 0n, 160n]);
  });
});
