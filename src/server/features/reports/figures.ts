import { and, asc, desc, eq, inArray, isNotNull, lt } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { farmReports, reportFigures } from "#server/db/schema/reports.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { fieldRefusal } from "#server/platform/errors.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { koboToNairaText, parseNaira } from "#shared/money.ts";
import { parseQuantity } from "#shared/projects/terms.ts";
import { quantityText } from "#shared/projects/terms-texts.ts";
import { leavingKeys } from "#shared/reports/curves.ts";
import type { PlannedFigure } from "#shared/reports/plans-texts.ts";
import { reportTexts as texts } from "#shared/reports/texts.ts";

/** Figures by their keys: kobo of money, thousandths of everything else. */
export type Figures = Map<string, bigint>;

/** A figure as people type and read it. */
export const figureText = (kind: PlannedFigure["kind"], value: bigint): string =>
  kind === "money" ? koboToNairaText(value) : quantityText(value);

/** Reads typed figures. Throws "invalid" at a figure that is missing, no number, or not of the plan. */
export function readFigures(planned: readonly PlannedFigure[], typed: Record<string, string>): Figures {
  const figures: Figures = new Map();
  const known = new Set(planned.map(({ key }) => key));
  for (const key of Object.keys(typed)) if (!known.has(key)) throw fieldRefusal(`figure-${key}`, texts.figureUnknown);
  for (const { key, kind, label, isRequired } of planned) {
    const text = (typed[key] ?? "").trim();
    if (text === "") {
      if (isRequired) throw fieldRefusal(`figure-${key}`, texts.figureMissing(label));
      continue;
    }
    const value = kind === "money" ? parseNaira(text) : parseQuantity(text);
    const isPart = kind !== "money" && kind !== "mass" && value !== null && value % 1000n !== 0n;
    if (value === null || isPart) throw fieldRefusal(`figure-${key}`, texts.figureWrong);
    figures.set(key, value);
  }
  return figures;
}

/** The keys of figures that change a stock, and which way. */
const movements: [key: string, sign: bigint][] = [
  ["died", -1n],
  ["added", 1n],
  ...leavingKeys.map((key): [string, bigint] => [key, -1n]),
];

/**
 * The stock that follows from the last report and what happened since; null where it adds up, the plan has no stock, or
 * there is no earlier one.
 */
export function expectedStock(planned: readonly PlannedFigure[], before: Figures, now: Figures): bigint | null {
  const stock = planned.find(({ kind }) => kind === "stock");
  const earlier = stock && before.get(stock.key);
  const alive = stock && now.get(stock.key);
  if (earlier === undefined || alive === undefined) return null;
  const expected = movements.reduce((sum, [key, sign]) => sum + sign * (now.get(key) ?? 0n), earlier);
  return expected === alive ? null : expected;
}

export async function readFiguresOf(db: DbOrTx, reportId: number): Promise<Figures> {
  const found = await db
    .select({ key: reportFigures.key, value: reportFigures.value })
    .from(reportFigures)
    .where(eq(reportFigures.reportId, reportId));
  return new Map(found.map(({ key, value }) => [key, value]));
}

/**
 * Counts the animals that left the farm alive up to each sent report of a round, in thousandths, by the report's
 * number. Reports that wait to be published count: the living animals of a later one are fewer by theirs.
 */
export async function listGone(
  db: DbOrTx,
  { projectId, round }: { projectId: number; round: number },
): Promise<Map<number, bigint>> {
  const isLeaving = and(eq(reportFigures.reportId, farmReports.id), inArray(reportFigures.key, [...leavingKeys]));
  const found = await db
    .select({ number: farmReports.number, value: reportFigures.value })
    .from(farmReports)
    .leftJoin(reportFigures, isLeaving)
    .where(and(eq(farmReports.projectId, projectId), eq(farmReports.round, round), isNotNull(farmReports.sentAt)))
    .orderBy(asc(farmReports.number));
  const gone = new Map<number, bigint>();
  let sum = 0n;
  for (const { number, value } of found) {
    sum += value ?? 0n;
    gone.set(number, sum);
  }
  return gone;
}

/**
 * Counts the days that a report's figures are for: since the report before it, or since the funding. If a report came
 * late or twice, the days between the due times are taken if they are more, so that no needless question is asked.
 */
export async function countDays(db: DbOrTx, report: typeof farmReports.$inferSelect, now: Date): Promise<number> {
  const { projectId, round, number, dueAt } = report;
  const sentAt = report.sentAt ?? now;
  const [last] = await db
    .select({ sentAt: farmReports.sentAt, dueAt: farmReports.dueAt })
    .from(farmReports)
    .where(
      and(
        eq(farmReports.projectId, projectId),
        eq(farmReports.round, round),
        isNotNull(farmReports.sentAt),
        lt(farmReports.number, number),
      ),
    )
    .orderBy(desc(farmReports.number))
    .limit(1);
  if (last?.sentAt) return Math.max(daysFrom(last.sentAt, sentAt), daysFrom(last.dueAt, dueAt));
  const [funded] = await db
    .select({ at: projectRounds.decidedAt })
    .from(projectRounds)
    .where(and(eq(projectRounds.projectId, projectId), eq(projectRounds.round, round)));
  return Math.max(1, daysFrom(funded?.at ?? report.createdAt, sentAt));
}

const daysFrom = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / dayMs;
