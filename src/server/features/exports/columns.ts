import { decimalText } from "#server/platform/text.ts";
import { isoInLagos } from "#shared/dates.ts";
import type { Kobo } from "#shared/money.ts";

/** A table's column, which writes its values as spreadsheet cells, unless it has no title, and as JSON. */
type Column<Value> = { title: string | null; csv(value: Value): string; json(value: Value): unknown };

/** The columns of a row's values, in their order. The keys are those of the JSON. */
export type Columns<Row> = { [Key in keyof Row]: Column<Row[Key]> };

const yesOrNo = (value: boolean): string => (value ? "Yes" : "No");

export const text = (title: string): Column<string | null> => ({
  title,
  csv: (value) => value ?? "",
  json: (value) => value,
});

/** A state: in CSV the screens' word for it, in JSON its own. */
export const word = <Word extends string>(title: string, labels: Record<Word, string>): Column<Word | null> => ({
  title,
  csv: (value) => (value === null ? "" : labels[value]),
  json: (value) => value,
});

export const whole = (title: string): Column<number | null> => ({
  title,
  csv: (value) => (value === null ? "" : String(value)),
  json: (value) => value,
});

export const flag = (title: string): Column<boolean> => ({ title, csv: yesOrNo, json: (value) => value });

/** In CSV naira with two decimals and no thousands; in JSON kobo as a text, because they may not fit a number. */
export const naira = (title: string): Column<Kobo | null> => ({
  title: `${title} (NGN)`,
  csv: (value) => (value === null ? "" : decimalText(value, 2)),
  json: (value) => value?.toString() ?? null,
});

/** Thousandths of a unit: in CSV with three decimals, in JSON as a text of them. */
export const quantity = (title: string): Column<bigint | null> => ({
  title,
  csv: (value) => (value === null ? "" : decimalText(value, 3)),
  json: (value) => value?.toString() ?? null,
});

/** "2026-11-21T14:05:09.123+01:00": in Lagos. A day is a text already. */
export const moment = (title: string): Column<Date | null> => ({
  title,
  csv: (value) => (value === null ? "" : isoInLagos(value)),
  json: (value) => (value === null ? null : isoInLagos(value)),
});

/** For programs: it isn't in the CSV. */
export const onlyJson = <Value>(): Column<Value> => ({ title: null, csv: () => "", json: (value) => value });

/** Whatever was recorded, as JSON in both. */
export const details = (title: string): Column<Record<string, unknown>> => ({
  title,
  csv: (value) => JSON.stringify(value),
  json: (value) => value,
});
