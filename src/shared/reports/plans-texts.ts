/** A farm's reporting plan: how often, which figures, and their expected values. No schema is here. */

export const reportIntervals = [7, 14, 30] as const;
export type ReportInterval = (typeof reportIntervals)[number];

/** Stock is how many live; of a count, a mass or eggs the week's own; money is kobo, every other value thousandths. */
export const figureKinds = ["stock", "count", "mass", "eggs", "money"] as const;
export type FigureKind = (typeof figureKinds)[number];

/**
 * A figure that each report asks for. `curve` is what it should be: pairs of week and value, linear between them, in the unit
 * of `kind`; null where nothing is planned. The keys died, sold, taken and added belong to the plan's stock figure.
 */
export type PlannedFigure = {
  key: string;
  label: string;
  unit: string;
  kind: FigureKind;
  isRequired: boolean;
  curve: [week: number, value: number][] | null;
};

export const planTemplates = [
  "broiler",
  "layer",
  "catfish",
  "tilapia",
  "snail",
  "goat",
  "maize",
  "cassava",
  "tomato",
  "mushroom",
  "none",
] as const;
export type PlanTemplate = (typeof planTemplates)[number];

/** Weekdays are 1 (Monday) to 7 (Sunday). `endsOn` is YYYY-MM-DD; null until the round is over. */
export type ReportPlan = {
  template: PlanTemplate;
  everyDays: ReportInterval;
  weekday: number;
  endsOn: string | null;
  figures: PlannedFigure[];
};

export const planLimits = {
  figures: { min: 1, max: 6 },
  label: 40,
  unit: 20,
  curvePoints: 60,
} as const;

export const intervalLabels: Record<ReportInterval, string> = {
  7: "Every week",
  14: "Every two weeks",
  30: "Every 30 days",
};

export const weekdayLabels = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

export const figureKindLabels: Record<FigureKind, string> = {
  stock: "How many live",
  count: "A number since the last report",
  mass: "A weight",
  eggs: "Eggs since the last report",
  money: "Naira since the last report",
};

export const templateLabels: Record<PlanTemplate, string> = {
  broiler: "Broilers",
  layer: "Layers",
  catfish: "Catfish",
  tilapia: "Tilapia",
  snail: "Snails",
  goat: "Goats",
  maize: "Maize",
  cassava: "Cassava",
  tomato: "Tomatoes",
  mushroom: "Mushrooms",
  none: "Something else",
};
