import { describe, expect, test } from "vitest";
import { questionsOf } from "#server/features/reports/plausible.ts";
import { speciesOf } from "#server/features/reports/species.ts";
import type { PlanTemplate } from "#shared/reports/plans-texts.ts";
import { planOfTemplate } from "#shared/reports/templates.ts";

const figuresOf = (values: Record<string, number>) =>
  new Map(Object.entries(values).map(([key, value]) => [key, BigInt(Math.round(value * 1000))]));
/** Returns the questions about a report of a hundred animals, `days` after the last one. */
const asked = (
  template: PlanTemplate,
  values: Record<string, number>,
  { days = 7, before = {} }: { days?: number; before?: Record<string, number> } = {},
) =>
  speciesOf({
    template,
    planned: planOfTemplate(template).figures,
    figures: figuresOf({ alive: 100, ...values }),
    last: figuresOf(before),
    days,
  });

/** Kilograms that a hundred animals eat in so many days at so many grams a day. */
const feed = (grams: number, days: number) => ({ feed: (grams * 100 * days) / 1000 });
const gain = (ratio: number) => ({ weight: 2, feed: ratio * 100 });

describe("a farm is asked about figures that no animal reaches", () => {
  test.each<[string, PlanTemplate, number, number, number]>([
    ["a broiler eats at least", "broiler", 7, 8, 7.9],
    ["a broiler eats at most", "broiler", 7, 300, 300.2],
    ["a broiler in two weeks eats at most", "broiler", 14, 300, 300.1],
    ["a broiler in thirty days eats at least", "broiler", 30, 8, 7.9],
    ["a hen eats at least", "layer", 7, 8, 7.9],
    ["a hen eats at most", "layer", 7, 170, 170.2],
    ["a hen in thirty days eats at most", "layer", 30, 170, 170.1],
  ])("%s", (_, template, days, inside, outside) => {
    expect(asked(template, feed(inside, days), { days })).toEqual([]);
    expect(asked(template, feed(outside, days), { days })).toEqual([expect.stringContaining("“Feed eaten”")]);
  });

  test.each([7, 14, 30])("a hen lays at most one egg a day, in %d days", (days) => {
    expect(asked("layer", { eggs: 100 * days }, { days })).toEqual([]);
    expect(asked("layer", { eggs: 100 * days + 1 }, { days })).toEqual([
      "“Eggs laid”: that is more than one egg a day for each hen. Is that right?",
    ]);
  });

  test.each<[PlanTemplate, number, number]>([
    ["broiler", 0.8, 0.79],
    ["broiler", 4, 4.01],
    ["catfish", 0.6, 0.59],
    ["catfish", 4, 4.01],
  ])("%s gain a kilogram from %d kg of feed, and not from %d kg", (template, inside, outside) => {
    // In thirty days, so that what one eats a day is no question.
    const over = { days: 30, before: { weight: 1 } };
    const aboutGain = (ratio: number) => asked(template, gain(ratio), over).filter((text) => text.includes("kilogram"));
    expect(aboutGain(inside)).toEqual([]);
    expect(aboutGain(outside)).toEqual([expect.stringMatching(/“Feed (eaten|given)” and “Average weight/)]);
  });

  test.each<[string, PlanTemplate, Record<string, number>, Record<string, number>]>([
    ["none live", "broiler", { alive: 0, feed: 900 }, {}],
    ["a figure is missing", "broiler", {}, { weight: 1 }],
    ["they weigh less than before", "catfish", { weight: 1, feed: 900 }, { weight: 2 }],
    ["nothing is known of their kind", "goat", { feed: 9000 }, {}],
  ])("but not where %s", (_, template, values, before) => {
    expect(asked(template, values, { before })).toEqual([]);
  });
});

describe("a farm is asked about figures that repeat", () => {
  const plan = planOfTemplate("broiler");
  const ask = (figures: Record<string, number>, earlier: Record<string, number>[]) =>
    questionsOf({
      template: plan.template,
      planned: plan.figures,
      figures: figuresOf(figures),
      earlier: earlier.map(figuresOf),
      days: 7,
    });

  test("for the third time, by their name", () => {
    expect(ask({ sold: 12 }, [{ sold: 12 }])).toEqual([]);
    expect(ask({ sold: 12 }, [{ sold: 12 }, { sold: 11 }])).toEqual([]);
    expect(ask({ sold: 12 }, [{ sold: 12 }, { sold: 12 }])).toEqual([
      "“Sold” is the same as in the two reports before. Is that right?",
    ]);
    expect(
      ask({ died: 0, alive: 90 }, [
        { died: 0, alive: 90 },
        { died: 0, alive: 90 },
      ]),
    ).toEqual([]);
  });

  test("none of over 300 animals died six times", () => {
    const silent = { alive: 301, died: 0 };
    const five = [silent, silent, silent, silent, silent];
    expect(ask(silent, five)).toEqual([
      "“Died”: none of over 300 animals died in six reports in a row. Is that right?",
    ]);
    expect(ask(silent, five.slice(1))).toEqual([]);
    expect(ask({ ...silent, alive: 300 }, five)).toEqual([]);
    expect(ask({ ...silent, died: 1 }, five)).toEqual([]);
  });
});
