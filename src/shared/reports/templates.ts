import type { ReleasePart } from "#shared/projects/release-parts.ts";
import type { Unit } from "#shared/projects/terms-texts.ts";
import type { PlannedFigure, PlanTemplate, ReportPlan } from "./plans-texts.ts";

/**
 * The usual reports of each kind of farm. Curves start from 1,000 animals where a farm hasn't said how many: a plan is
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

/** Parts of money by percent, day after the funding, what for and proof. */
const inParts = (...parts: [percent: number, afterDays: number, label: string, proof: string][]): ReleasePart[] =>
  parts.map(([percent, afterDays, label, proof]) => ({ label, rate: percent * 100, proof, afterDays }));

const paper = "A receipt, and a photo with this week's code";
const photo = "A photo with this week's code";

type TemplateTerms = { unit: Unit; deductibleCosts: string[]; releaseParts: ReleasePart[] };

/** The usual harvest unit and costs of each kind of farm, and when it needs its money. */
export const termsOfTemplate: Record<PlanTemplate, TemplateTerms> = {
  broiler: {
    unit: "bird",
    deductibleCosts: ["Chicks", "Feed", "Vaccines and medicine", "Labour", "Transport"],
    releaseParts: inParts(
      [50, 0, "Chicks and first feed", ""],
      [35, 14, "Feed to week 6", paper],
      [15, 35, "Transport and sale", photo],
    ),
  },
  layer: {
    unit: "crate",
    deductibleCosts: ["Hens", "Feed", "Vaccines and medicine", "Labour", "Crates and transport"],
    releaseParts: inParts(
      [60, 0, "Hens and cages", ""],
      [25, 30, "Feed for two months", paper],
      [15, 90, "Feed and medicine", paper],
    ),
  },
  catfish: {
    unit: "kg",
    deductibleCosts: ["Fingerlings", "Feed", "Water and power", "Labour", "Transport"],
    releaseParts: inParts(
      [40, 0, "Fingerlings and first feed", ""],
      [35, 45, "Feed to month 4", paper],
      [25, 100, "Feed to harvest", paper],
    ),
  },
  tilapia: {
    unit: "kg",
    deductibleCosts: ["Fingerlings", "Feed", "Water and power", "Labour", "Transport"],
    releaseParts: inParts(
      [40, 0, "Fingerlings and first feed", ""],
      [35, 45, "Feed to month 4", paper],
      [25, 100, "Feed to harvest", paper],
    ),
  },
  snail: {
    unit: "piece",
    deductibleCosts: ["Young snails", "Feed", "Labour", "Transport"],
    releaseParts: inParts([60, 0, "Pens and young snails", ""], [40, 60, "Feed and labour", paper]),
  },
  goat: {
    unit: "piece",
    deductibleCosts: ["Kids", "Feed", "Vaccines and medicine", "Labour", "Transport"],
    releaseParts: inParts(
      [60, 0, "Kids and pens", ""],
      [25, 30, "Feed and medicine", paper],
      [15, 120, "Feed and transport", photo],
    ),
  },
  maize: {
    unit: "bag",
    deductibleCosts: ["Seed", "Fertiliser", "Weeding and labour", "Threshing and bags", "Transport"],
    releaseParts: inParts(
      [50, 0, "Ploughing and seed", ""],
      [30, 30, "Fertiliser and weeding", paper],
      [20, 90, "Harvest and threshing", photo],
    ),
  },
  cassava: {
    unit: "kg",
    deductibleCosts: ["Stems", "Fertiliser", "Weeding and labour", "Transport"],
    releaseParts: inParts(
      [50, 0, "Ploughing and stems", ""],
      [30, 60, "Weeding and fertiliser", paper],
      [20, 270, "Harvest and transport", photo],
    ),
  },
  tomato: {
    unit: "crate",
    deductibleCosts: ["Seedlings", "Fertiliser", "Water", "Labour", "Crates and transport"],
    releaseParts: inParts(
      [50, 0, "Beds and seedlings", ""],
      [30, 21, "Fertiliser and water", paper],
      [20, 60, "Crates and transport", photo],
    ),
  },
  mushroom: {
    unit: "kg",
    deductibleCosts: ["Spawn", "Bags and substrate", "Labour", "Packing and transport"],
    releaseParts: inParts([70, 0, "Spawn and substrate", ""], [30, 30, "Labour and packing", photo]),
  },
  none: { unit: "share", deductibleCosts: [], releaseParts: [] },
};
