import "#client/ui/mantine/fields.css";
import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import type { ShownTable } from "#shared/bank/statement-import-texts.ts";
import type { StatementMapping } from "#shared/bank/statements.ts";
import { bankTexts } from "#shared/bank/texts.ts";
import classes from "./import.module.css";

type MappingFormProps = {
  table: ShownTable;
  submitLabel: string;
  onSubmit: (mapping: StatementMapping) => void;
  onCancel: () => void;
};

/** Columns as the fields of the form have them: their place as a text, empty where there is none. */
type Columns = Record<
  "date" | "valueDate" | "narration" | "reference" | "balance" | "debit" | "credit" | "amount" | "mark",
  string
>;

const labels: Record<keyof Columns, string> = {
  date: "Date",
  narration: "Narration",
  debit: "Money out (debit)",
  credit: "Money in (credit)",
  amount: "Amount",
  mark: "Debit or credit mark (optional)",
  balance: "Balance (optional)",
  valueDate: "Value date (optional)",
  reference: "Bank's reference (optional)",
};

const dayOrders = [
  { value: "by_file", label: "As the file's dates tell" },
  { value: "day_first", label: "Day first: 03/11 is 3 November" },
  { value: "month_first", label: "Month first: 03/11 is 11 March" },
] as const;

const PREVIEW_ROWS = 12;

/** Which column holds what, beside the file's first rows. */
export function MappingForm({ table, submitLabel, onSubmit, onCancel }: MappingFormProps) {
  const [columns, setColumns] = useState(() => columnsOf(table.mapping));
  const [kind, setKind] = useState<StatementMapping["money"]["kind"]>(table.mapping?.money.kind ?? "two_columns");
  const [dayOrder, setDayOrder] = useState<StatementMapping["dayOrder"]>(table.mapping?.dayOrder ?? "by_file");
  const [heading, setHeading] = useState(table.headingRow === null ? "" : String(table.headingRow));
  const [isTried, setIsTried] = useState(false);
  const titles = heading === "" ? [] : (table.rows[Number(heading) - 1] ?? []);
  const width = Math.max(0, ...table.rows.map((row) => row.length));
  const choices = Array.from({ length: width }, (_, index) => ({
    value: String(index),
    label: titles[index]?.trim() ? `${index + 1}: ${titles[index]?.trim()}` : `Column ${index + 1}`,
  }));
  const wanted: (keyof Columns)[] =
    kind === "two_columns" ? ["date", "narration", "debit", "credit"] : ["date", "narration", "amount"];
  const optional: (keyof Columns)[] = [
    ...(kind === "one_column" ? (["mark"] as const) : []),
    ...(["balance", "valueDate", "reference"] as const),
  ];
  const used = [...wanted, ...optional].map((field) => columns[field]).filter((column) => column !== "");
  const faultOf = (field: keyof Columns): string | null => {
    if (wanted.includes(field) && columns[field] === "") return bankTexts.columnMissing;
    const isTwice = columns[field] !== "" && used.filter((column) => column === columns[field]).length > 1;
    return isTwice && !["reference", "valueDate"].includes(field) ? bankTexts.columnTwice : null;
  };
  const submit = () => {
    setIsTried(true);
    if ([...wanted, ...optional].some((field) => faultOf(field) !== null)) return;
    const optionalOf = (field: keyof Columns) => (columns[field] === "" ? null : Number(columns[field]));
    onSubmit({
      titles: titles.map((title) => title.slice(0, 200)),
      date: Number(columns.date),
      valueDate: optionalOf("valueDate"),
      narration: Number(columns.narration),
      reference: optionalOf("reference"),
      balance: optionalOf("balance"),
      money:
        kind === "two_columns"
          ? { kind, debit: Number(columns.debit), credit: Number(columns.credit) }
          : { kind, amount: Number(columns.amount), mark: optionalOf("mark") },
      dayOrder,
    });
  };
  const select = (field: keyof Columns) => (
    <NativeSelect
      key={field}
      label={labels[field]}
      value={columns[field]}
      data={[{ value: "", label: wanted.includes(field) ? "Choose…" : "None" }, ...choices]}
      error={isTried ? faultOf(field) : null}
      onChange={({ currentTarget: { value } }) => setColumns((shown) => ({ ...shown, [field]: value }))}
    />
  );
  return (
    <form
      className={classes.import}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Preview
        rows={table.rows.slice(0, PREVIEW_ROWS)}
        width={width}
        heading={Number(heading)}
        used={used.map(Number)}
      />
      <div className={classes.columns}>
        <NativeSelect
          label="Row of the headings"
          value={heading}
          data={[
            { value: "", label: "None" },
            ...table.rows.map((row, index) => ({
              value: String(index + 1),
              label: `Row ${index + 1}: ${row.filter(Boolean).join(", ").slice(0, 40)}`,
            })),
          ]}
          onChange={({ currentTarget }) => setHeading(currentTarget.value)}
        />
        <NativeSelect
          label="Amounts stand in"
          value={kind}
          data={[
            { value: "two_columns", label: "Two columns, debit and credit" },
            { value: "one_column", label: "One column, with a sign or mark" },
          ]}
          onChange={({ currentTarget }) => setKind(currentTarget.value === "one_column" ? "one_column" : "two_columns")}
        />
        {wanted.map(select)}
        {optional.map(select)}
        <NativeSelect
          label="Dates"
          value={dayOrder}
          data={[...dayOrders]}
          onChange={({ currentTarget }) =>
            setDayOrder(dayOrders.find(({ value }) => value === currentTarget.value)?.value ?? "by_file")
          }
        />
      </div>
      <ButtonRow>
        <Button type="submit">{submitLabel}</Button>
        <Button variant="default" onClick={onCancel}>
          Back
        </Button>
      </ButtonRow>
    </form>
  );
}

function columnsOf(mapping: StatementMapping | null): Columns {
  const text = (column: number | null | undefined) => (column == null ? "" : String(column));
  const money = mapping?.money;
  return {
    date: text(mapping?.date),
    valueDate: text(mapping?.valueDate),
    narration: text(mapping?.narration),
    reference: text(mapping?.reference),
    balance: text(mapping?.balance),
    debit: money?.kind === "two_columns" ? text(money.debit) : "",
    credit: money?.kind === "two_columns" ? text(money.credit) : "",
    amount: money?.kind === "one_column" ? text(money.amount) : "",
    mark: money?.kind === "one_column" ? text(money.mark) : "",
  };
}

type PreviewProps = { rows: readonly string[][]; width: number; heading: number; used: readonly number[] };

function Preview({ rows, width, heading, used }: PreviewProps) {
  const places = Array.from({ length: width }, (_, index) => index);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard.
    <section className={classes.preview} aria-label="The first rows of the file" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Row</th>
            {places.map((place) => (
              <th key={place} scope="col" data-used={used.includes(place) || undefined}>
                {place + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name than their place.
            <tr key={index} data-heading={index + 1 === heading || undefined}>
              <th scope="row">{index + 1}</th>
              {places.map((place) => (
                <td key={place}>{row[place] ?? ""}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
