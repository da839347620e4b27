import type { ReactNode } from "react";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import classes from "./data-table.module.css";

export type Column<Row> = {
  header: string;
  render: (row: Row) => ReactNode;
  /** "end" for figures. */
  align?: "end";
  /** A width for the column, such as "9rem"; the others share the rest. */
  width?: string;
  /** "head" heads the row's card on phones; "wide" takes its whole width without a label; "none" is left out of it. */
  inCard?: "head" | "wide" | "none";
  /** Left out of a dense table where there is no room for it. */
  isSpare?: boolean;
  /** The cell below all rows. A table has such a row if any of its columns does. */
  sum?: ReactNode;
};

type DataTableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** The rows of an earlier question, until the answer is here. */
  isStale?: boolean;
  /** One line of 48 px to the row, on wide screens: what doesn't fit is cut, so a cell's text needs a title. */
  isDense?: boolean;
};

/**
 * Browsers drop a table's meaning for readers when its display is changed, as the cards on phones do: these roles keep
 * it. Spread, because they repeat what the elements say by themselves.
 */
const roles = {
  table: { role: "table" },
  group: { role: "rowgroup" },
  row: { role: "row" },
  head: { role: "columnheader" },
  cell: { role: "cell" },
} as const;

/** A dense table with a header that stays in sight; on phones each row becomes a card. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, isStale = false, isDense = false } = props;
  return (
    <table
      className={classes.table}
      data-dense={isDense || undefined}
      aria-label={label}
      aria-busy={isStale || undefined}
      {...roles.table}
    >
      <Head columns={columns} />
      <tbody {...roles.group}>
        {rows.map((row) => (
          <tr key={rowKey(row)} {...roles.row}>
            {columns.map(({ header, render, align, inCard, isSpare }) => (
              <td
                key={header}
                data-label={header}
                data-align={align}
                data-card={inCard}
                data-spare={isSpare}
                {...roles.cell}
              >
                {render(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <Sums columns={columns} />
    </table>
  );
}

function Sums<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  if (columns.every(({ sum }) => sum === undefined)) return null;
  return (
    <tfoot {...roles.group}>
      <tr {...roles.row}>
        {columns.map(({ header, align, inCard, sum }) => (
          <td
            key={header}
            data-label={header}
            data-align={align}
            data-card={inCard}
            data-empty={sum === undefined || undefined}
            {...roles.cell}
          >
            {sum}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

function Head<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <thead {...roles.group}>
      <tr {...roles.row}>
        {columns.map(({ header, align, width, isSpare }) => (
          <th
            key={header}
            scope="col"
            data-align={align}
            data-spare={isSpare}
            style={width ? { width } : undefined}
            {...roles.head}
          >
            {header}
          </th>
        ))}
      </tr>
    </thead>
  );
}

const skeletonRows = Array.from({ length: 8 }, (_, row) => row);

type DataTableSkeletonProps<Row> = Pick<DataTableProps<Row>, "label" | "columns" | "isDense">;

/** The table's shape while its rows are on their way. */
export function DataTableSkeleton<Row>({ label, columns, isDense = false }: DataTableSkeletonProps<Row>) {
  return (
    <Loading label={label}>
      <table className={classes.table} data-dense={isDense || undefined} aria-hidden="true">
        <Head columns={columns} />
        <tbody>
          {skeletonRows.map((row) => (
            <tr key={row}>
              {columns.map(({ header, inCard, isSpare }) => (
                <td key={header} data-label={header} data-card={inCard} data-spare={isSpare}>
                  <Skeleton width={row % 2 ? "70%" : "85%"} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Loading>
  );
}
