import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fingerprintLines } from "#server/features/bank/statements/fingerprints.ts";
import {
  findReferences,
  indexReferences,
  namesReversal,
  nameTokens,
} from "#server/features/bank/statements/narrations.ts";
import { newReference } from "#server/platform/references.ts";

describe("a reference in a narration", () => {
  const open = indexReferences(["GONA-7K3P-9Q2M", "GONA-7K3P-9Q3N", "GONA-ABCD-EFGH", "GP-2345-6789", "GP-ABCD-EFGH"]);
  const whole = (reference: string) => ({ reference, isWhole: true });
  const cut = (reference: string) => ({ reference, isWhole: false });

  test.each([
    ["NIP/ACCESS/ADAEZE OKAFOR/GONA-7K3P-9Q2M", [whole("GONA-7K3P-9Q2M")]],
    ["trf from ada gona 7k3p 9q2m farm", [whole("GONA-7K3P-9Q2M")]],
    ["GONA7K3P9Q2MADAEZE", [whole("GONA-7K3P-9Q2M")]],
    ["ADAEZE 7K3P9Q2M", [whole("GONA-7K3P-9Q2M")]],
    ["REF7K3P-9Q2M/ADAEZE", [whole("GONA-7K3P-9Q2M")]],
    ["GONA-7K3P-9Q3N AND GONA-7K3P-9Q2M", [whole("GONA-7K3P-9Q3N"), whole("GONA-7K3P-9Q2M")]],
    ["FT OUT GP-2345-6789/2", [whole("GP-2345-6789")]],
    // A code that two kinds of reference share is told apart by the prefix, or not at all.
    ["GP-ABCD-EFGH", [whole("GP-ABCD-EFGH")]],
    ["GONAABCDEFGH", [whole("GONA-ABCD-EFGH")]],
    ["ABCD-EFGH", []],
    // Cut off after six characters or more, where no other begins so.
    ["NIP/ADAEZE/GONA-7K3P-9Q2", [cut("GONA-7K3P-9Q2M")]],
    ["NIP/GP-2345-67", [cut("GP-2345-6789")]],
    ["NIP/2345-67/ADAEZE", [cut("GP-2345-6789")]],
    ["NIP/ADAEZE/GONA-7K3P-9Q", []],
    ["NIP/GP-2345-6", []],
    // Not cut off, but another.
    ["GP-2345-6799", []],
    ["GONA-7K3P-9Q2X", []],
    ["X2345-67", []],
    ["000014261113140509123456789012", []],
    ["", []],
  ])("%j", (narration, found) => {
    expect(findReferences(narration, open)).toEqual(found);
  });

  test("is found whatever stands around it and however it is written", () => {
    const around = fc.string({ unit: fc.constantFrom(..."abcxyzOIL01UV /-:.,"), maxLength: 40 });
    const own = newReference("GONA");
    fc.assert(
      fc.property(
        around,
        around,
        fc.boolean(),
        fc.constantFrom("-", " ", "", "/"),
        fc.constantFrom("toUpperCase" as const, "toLowerCase" as const),
        (before, after, hasPrefix, dash, write) => {
          const [prefix = "", one = "", two = ""] = own.split("-");
          const written = [...(hasPrefix ? [prefix] : []), one, two].join(dash)[write]();
          const others = indexReferences([own, ...Array.from({ length: 20 }, () => newReference("GONA"))]);
          expect(findReferences(`${before}${written}${after}`, others)).toContainEqual(whole(own));
        },
      ),
      { numRuns: 500 },
    );
  });

  test("is found in time that grows with the narration alone", () => {
    const many = indexReferences(Array.from({ length: 20_000 }, () => newReference("GONA")));
    expect(findReferences("7K3P9Q2M".repeat(10_000), many).length).toBeLessThan(2);
  });
});

test("a reversal is named by a word of its own", () => {
  const named = ["RVSL NIP/ADA", "NIP TRF REV/ADA", "Reversal of charges", "FT.REV.123"];
  expect(named.filter(namesReversal)).toEqual(named);
  expect(["REVENUE OFFICE", "NIP/TREVOR", "PREVIEW", ""].filter(namesReversal)).toEqual([]);
});

test("names are left of a narration, in one order, however the bank writes them", () => {
  const same = [
    "NIP/ACCESS/ADAEZE OKAFOR/GONA-7K3P-9Q2M",
    "TRF FROM OKAFOR, ADAEZE",
    "MOBILE TRANSFER FROM Mrs Adaeze Okafor 0123456789",
    "USSD TRANSFER/Okafor Ádàézé",
  ];
  expect(new Set(same.map(nameTokens))).toEqual(new Set(["adaeze okafor"]));
  expect(nameTokens("SMS ALERT CHARGE")).toBe("alert charge sms");
  expect(nameTokens("000014261113140509123456789012")).toBe("");
});

describe("a fingerprint", () => {
  const line = { date: "2026-11-13", amountKobo: 500n, narration: "NIP/ADA OKAFOR", bankReference: "FT1" };

  test("is the same whatever spaces the export has, and counts equal lines of one day", () => {
    const [one, two, three] = fingerprintLines(7, [line, { ...line, narration: "NIP/ADAOKAFOR" }, line]);
    expect(one?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect([one, two, three]).toEqual([0, 1, 2].map((repetition) => ({ fingerprint: one?.fingerprint, repetition })));
  });

  test("is another for another account, day, amount, narration or reference", () => {
    const others = [
      { ...line, date: "2026-11-14" },
      { ...line, amountKobo: -500n },
      { ...line, narration: "NIP/ADA OKAFORS" },
      { ...line, narration: "NIP/ADA", bankReference: "OKAFORFT1" },
      { ...line, bankReference: null },
    ];
    const all = [...fingerprintLines(7, [line, ...others]), ...fingerprintLines(8, [line])];
    expect(new Set(all.map(({ fingerprint }) => fingerprint)).size).toBe(all.length);
    expect(all.every(({ repetition }) => repetition === 0)).toBe(true);
  });
});
