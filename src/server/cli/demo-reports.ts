import { z } from "zod";
import { farmRoles } from "#shared/farms/texts.ts";
import {
  figureKinds,
  type PlannedFigure,
  planTemplates,
  type ReportPlan,
  reportIntervals,
} from "#shared/reports/plans-texts.ts";
import { planOfTemplate } from "#shared/reports/templates.ts";
import { demoPhoto, readDemoFile } from "./demo-data.ts";

/** How the demo's farms report: their people, plans, and reports from the first to the last. A file of the folder demo/. */

const daysAgo = z.number().nonnegative();
const curve = z.array(z.tuple([z.int().min(0), z.number().min(0)])).min(2);
const figure = z.strictObject({
  key: z.string(),
  label: z.string(),
  unit: z.string(),
  kind: z.enum(figureKinds),
  isRequired: z.boolean(),
  curve: curve.nullable(),
});

const sentReport = z.strictObject({
  content: z.string(),
  /** As people type them, by the figures' keys. */
  figures: z.record(z.string(), z.string()),
  farmNote: z.string().default(""),
  /** So long after it was due; a few hours before it otherwise. */
  lateDays: z.number().positive().optional(),
  photos: z.array(demoPhoto).default([]),
});
const excusedReport = z.strictObject({ excuse: z.string() });

const reportingFarm = z.strictObject({
  /** The slug of one whose round was funded. */
  farm: z.string(),
  person: z.strictObject({ fullName: z.string(), email: z.email(), role: z.enum(farmRoles) }),
  /** The template's figures but for some, with curves of their own, or others. */
  plan: z.strictObject({
    template: z.enum(planTemplates),
    everyDays: z.union(reportIntervals.map((days) => z.literal(days))),
    without: z.array(z.string()).default([]),
    curves: z.record(z.string(), curve).default({}),
    figures: z.array(figure).optional(),
  }),
  /** When the last of the reports was due. The plan's weekday follows from it. */
  lastDueDaysAgo: z.int().nonnegative(),
  /** No more are due after the last. */
  endsOnLast: z.boolean().default(false),
  /** From the first that was due to the last. Null never came. */
  reports: z.array(z.union([sentReport, excusedReport]).nullable()).min(1),
  /** When backers asked for the report that is awaited. */
  askedDaysAgo: z.array(daysAgo).default([]),
});

const file = z.strictObject({
  farms: z.array(reportingFarm),
  /** The reporting plans of farms that still look for backers. */
  promised: z.array(z.strictObject({ farm: z.string(), template: z.enum(planTemplates) })),
});

export type DemoPhoto = z.output<typeof demoPhoto>;
export type DemoReport = z.output<typeof sentReport>;
export type ReportingFarm = z.output<typeof reportingFarm>;
export type DemoReports = z.output<typeof file>;

/** How each farm reported. Throws if the file has unknown or invalid fields. */
export async function readDemoReports(): Promise<DemoReports> {
  return file.parse(await readDemoFile("reports.json"));
}

/** The plan that a farm reports by, on the given weekday. */
export function planOf({ plan }: ReportingFarm, weekday: number): ReportPlan {
  const { template, everyDays, without, curves, figures = planOfTemplate(template).figures } = plan;
  const withCurve = (planned: PlannedFigure): PlannedFigure => ({
    ...planned,
    curve: curves[planned.key] ?? planned.curve,
  });
  const kept = figures.filter(({ key }) => !without.includes(key));
  return { template, everyDays, weekday, endsOn: null, figures: kept.map(withCurve) };
}
