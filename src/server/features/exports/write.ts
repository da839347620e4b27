import type { z } from "zod";
import type { Tx } from "#server/db/open.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { beginsFormula, csvLine } from "#server/platform/csv.ts";
import { AppError } from "#server/platform/errors.ts";
import { isStorable } from "#server/platform/text.ts";
import { errorTexts } from "#shared/errors.ts";
import type { ExportFormat } from "#shared/exports/texts.ts";
import type { Permission } from "#shared/permissions.ts";
import type { Columns } from "./columns.ts";

/** A table's export: who may have it, its filter, its columns, and its rows a page at a time. */
type Table<Filter extends object, Row extends object> = {
  permissions: readonly Permission[];
  filter: z.ZodType<Filter>;
  columns: Columns<Row>;
  pages: (tx: Tx, filter: Filter, asked: Asked) => AsyncIterable<NoInfer<Row>[]>;
};

/** `before` is the audit entry that records the export. */
export type Asked = { ctx: ActorContext; before: number };

/** A table whose filter was read. */
export type Export = {
  filter: object;
  write: (tx: Tx, format: ExportFormat, asked: Asked) => AsyncGenerator<string>;
};

/** A table that can be exported. `read` reads the query of an address, and throws "invalid" where it makes no sense. */
export type Exportable = { permissions: readonly Permission[]; read: (query: unknown) => Export };

export function exportable<Filter extends object, Row extends object>(table: Table<Filter, Row>): Exportable {
  return {
    permissions: table.permissions,
    read(query) {
      const filter = table.filter.safeParse(query);
      if (!filter.success || !isStorable(filter.data)) throw new AppError("invalid", errorTexts.unreadable);
      return {
        filter: filter.data,
        write: (tx, format, asked) => writers[format](table.columns, table.pages(tx, filter.data, asked)),
      };
    },
  };
}

const writers = { csv: writeCsv, json: writeJson };

/** A leading apostrophe keeps a spreadsheet from running a text as a formula. A negative number stays one. */
const harmless = (cell: string): string => (beginsFormula(cell) && !/^-\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell);

/** The byte order mark tells spreadsheets that the file is UTF-8. */
async function* writeCsv<Row extends object>(columns: Columns<Row>, pages: AsyncIterable<Row[]>) {
  const keys = (Object.keys(columns) as (keyof Row)[]).filter((key) => columns[key].title !== null);
  yield `\uFEFF${csvLine(keys.map((key) => columns[key].title ?? ""))}`;
  for await (const rows of pages) {
    yield rows.map((row) => csvLine(keys.map((key) => harmless(columns[key].csv(row[key]))))).join("");
  }
}

async function* writeJson<Row extends object>(columns: Columns<Row>, pages: AsyncIterable<Row[]>) {
  const keys = Object.keys(columns) as (keyof Row)[];
  const written = (row: Row) =>
    JSON.stringify(Object.fromEntries(keys.map((key) => [key, columns[key].json(row[key])])));
  yield "[";
  let separator = "\n";
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield separator + rows.map(written).join(",\n");
    separator = ",\n";
  }
  yield "\n]\n";
}

const pageSize = 1000;

/** The pages of a table by the id of their rows, oldest first: each begins after the last row of the one before. */
export async function* inPages<Row extends { id: number }>(
  readPage: (page: { after: number; limit: number }) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = 0; ; ) {
    const rows = await readPage({ after, limit: pageSize });
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = last.id;
  }
}
