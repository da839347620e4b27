import type { Unit } from "#shared/projects/terms-texts.ts";
import type { PlannedFigure, PlanTemplate, ReportPlan } from "./plans-texts.ts";

/**
 * What farms of each kind usually report. Curves start from 1,000 animals where a farm hasn't said how many: a plan is
 * changed to its own numbers before it is saved.
 */

const stock = (label: string, curve: PlannedFigure["curve"] = null): PlannedFigure => ({
  key: "alive",
  label,
  unit: "",
  kind: "stock",
  isRequired: true,
  curve,
});
const count = (key: string, label: string, isRequired = false): PlannedFigure => ({
  key,
  label,
  unit: "",
  kind: "count",
  isRequired,
  curve: null,
});
const mass = (key: string, label: string, curve: PlannedFigure["curve"] = null): PlannedFigure => ({
  key,
  label,
  unit: "kg",
  kind: "mass",
  isRequired: false,
  curve,
});
const eggs = (curve: PlannedFigure["curve"]): PlannedFigure => ({
  key: "eggs",
  label: "Eggs laid",
  unit: "eggs",
  kind: "eggs",
  isRequired: true,
  curve,
});
const spent: PlannedFigure = {
  key: "spent",
  label: "Money spent",
  unit: "₦",
  kind: "money",
  isRequired: false,
  curve: null,
};

const animals = (label: string): PlannedFigure[] => [
  stock(label, [
    [0, 1000],
    [52, 930],
  ]),
  count("died", "Died", true),
  count("sold", "Sold"),
];

const figuresOf: Record<PlanTemplate, PlannedFigure[]> = {
  broiler: [
    ...animals("Birds alive"),
    mass("feed", "Feed eaten"),
    mass("weight", "Average weight of a bird", [
      [0, 0.04],
      [2, 0.45],
      [4, 1.4],
      [6, 2.4],
      [8, 3.1],
    ]),
    spent,
  ],
  layer: [
    ...animals("Hens alive"),
    mass("feed", "Feed eaten"),
    eggs([
      [0, 0],
      [18, 0],
      [24, 6000],
      [60, 5200],
    ]),
    spent,
  ],
  catfish: [...animals("Fish alive"), mass("feed", "Feed given"), mass("weight", "Average weight of a fish"), spent],
  tilapia: [...animals("Fish alive"), mass("feed", "Feed given"), mass("weight", "Average weight of a fish"), spent],
  snail: [...animals("Snails alive"), count("added", "Hatched"), spent],
  goat: [...animals("Goats alive"), count("added", "Born"), mass("feed", "Feed given"), spent],
  maize: [mass("harvested", "Harvested this week"), mass("fertiliser", "Fertiliser used"), spent],
  cassava: [mass("harvested", "Harvested this week"), mass("fertiliser", "Fertiliser used"), spent],
  tomato: [mass("harvested", "Picked this week"), mass("fertiliser", "Fertiliser used"), spent],
  mushroom: [mass("harvested", "Picked this week"), count("bags", "Bags in the house"), spent],
  none: [spent],
};

/** A plan of a template: each Friday until the round is over. */
export const planOfTemplate = (template: PlanTemplate): ReportPlan => ({
  template,
  everyDays: 7,
  weekday: 5,
  endsOn: null,
  figures: figuresOf[template],
});

/** What the harvest of a farm of each kind is counted in, and which costs it usually has. */
export const termsOfTemplate: Record<PlanTemplate, { unit: Unit; deductibleCosts: string[] }> = {
  broiler: { unit: "bird", deductibleCosts: ["Chicks", "Feed", "Vaccines and medicine", "Labour", "Transport"] },
  layer: {
    unit: "crate",
    deductibleCosts: ["Hens", "Feed", "Vaccines and medicine", "Labour", "Crates and transport"],
  },
  catfish: { unit: "kg", deductibleCosts: ["Fingerlings", "Feed", "Water and power", "Labour", "Transport"] },
  tilapia: { unit: "kg", deductibleCosts: ["Fingerlings", "Feed", "Water and power", "Labour", "Transport"] },
  snail: { unit: "piece", deductibleCosts: ["Young snails", "Feed", "Labour", "Transport"] },
  goat: { unit: "piece", deductibleCosts: ["Kids", "Feed", "Vaccines and medicine", "Labour", "Transport"] },
  maize: {
    unit: "bag",
    deductibleCosts: ["Seed", "Fertiliser", "Weeding and labour", "Threshing and bags", "Transport"],
  },
  cassava: { unit: "kg", deductibleCosts: ["Stems", "Fertiliser", "Weeding and labour", "Transport"] },
  tomato: { unit: "crate", deductibleCosts: ["Seedlings", "Fertiliser", "Water", "Labour", "Crates and transport"] },
  mushroom: { unit: "kg", deductibleCosts: ["Spawn", "Bags and substrate", "Labour", "Packing and transport"] },
  none: { unit: "share", deductibleCosts: [] },
};
