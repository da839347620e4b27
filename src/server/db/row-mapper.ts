import { Column, getTableName, is, SQL } from "drizzle-orm";

type Decoder = { mapFromDriverValue(value: unknown): unknown };
type Field = { path: string[]; field: unknown };
type Result = Record<string, unknown>;

/** What drizzle keeps in a prepared select (0.45): not part of its types. */
type PreparedSelect = {
  fields?: Field[];
  joinsNotNullableMap?: Record<string, boolean>;
  customResultMapper?: (rows: unknown[][]) => Result[];
};

/**
 * Gives a prepared select a mapper from the driver's rows to objects that knows its columns. Drizzle's own finds out for
 * each value of each row what column it is of, which costs as much as all else it does. Where a nested object could be
 * null as a whole (a left join's columns only), and for whatever is no such select, drizzle's stays.
 */
export function withRowMapper<Statement>(statement: Statement): Statement {
  const select = statement as PreparedSelect;
  if (select.fields && !select.customResultMapper && !hasNullableObject(select.fields, select.joinsNotNullableMap)) {
    select.customResultMapper = mapperOf(select.fields);
  }
  return statement;
}

function mapperOf(fields: Field[]): (rows: unknown[][]) => Result[] {
  const columns = fields.map(({ path, field }) => ({
    above: path.slice(0, -1),
    name: path.at(-1) ?? "",
    decoder: decoderOf(field),
  }));
  return (rows) =>
    rows.map((row) => {
      const result: Result = {};
      let index = 0;
      for (const { above, name, decoder } of columns) {
        let place = result;
        for (const outer of above) {
          place[outer] ??= {};
          place = place[outer] as Result;
        }
        const value = row[index++];
        place[name] = value === null ? null : decoder.mapFromDriverValue(value);
      }
      return result;
    });
}

function decoderOf(field: unknown): Decoder {
  if (is(field, Column)) return field as Decoder;
  // An expression's decoder, its own or that of what has an alias, is there but not in drizzle's types.
  const expression = field as { decoder: Decoder; sql: { decoder: Decoder } };
  return is(field, SQL) ? expression.decoder : expression.sql.decoder;
}

/** Whether all columns of some nested object are one table's that may be missing in a row. */
function hasNullableObject(fields: Field[], isNeverMissing: Record<string, boolean> | undefined): boolean {
  if (!isNeverMissing) return false;
  const tablesOf = new Map<string, Set<string>>();
  for (const { path, field } of fields) {
    const [object = "", ...rest] = path;
    if (rest.length !== 1 || !is(field, Column)) continue;
    tablesOf.set(object, (tablesOf.get(object) ?? new Set()).add(getTableName(field.table)));
  }
  return [...tablesOf.values()].some(([...tables]) => tables.length === 1 && !isNeverMissing[tables[0] ?? ""]);
}
