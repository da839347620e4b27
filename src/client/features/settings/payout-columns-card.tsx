import "#client/ui/mantine/fields.css";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { IconArrowUp, IconPlus, IconTrash } from "@tabler/icons-react";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Card } from "#client/ui/layout/card.tsx";
import {
  columnsFault,
  fixedPayoutColumns,
  noPayoutColumns,
  type PayoutColumn,
  parsePayoutColumns,
  payoutColumnLimits,
  payoutFieldLabels,
  payoutFields,
  titleFault,
  writePayoutColumns,
} from "#shared/payouts/columns.ts";
import { payoutColumnsKey, settingTexts as texts } from "#shared/settings/texts.ts";
import classes from "./settings.module.css";
import { useSaveSettings } from "./use-settings.ts";

type Row = PayoutColumn & { id: number };

const rowsOf = (columns: readonly PayoutColumn[]): Row[] => columns.map((column, id) => ({ ...column, id }));
const fields = payoutFields.map((field) => ({ value: field, label: payoutFieldLabels[field] }));

/** The columns of the payout files that our own bank wants. `stored` is the setting's text, "" where it isn't set. */
export function PayoutColumnsCard({ stored }: { stored: string }) {
  const [rows, setRows] = useState(() => rowsOf(parsePayoutColumns(stored) ?? []));
  const [isChecked, setIsChecked] = useState(false);
  const save = useSaveSettings();
  const list = useRef<HTMLOListElement>(null);
  // What is removed or moved takes the keyboard's place with it.
  const [place, setPlace] = useState<{ row: number } | null>(null);
  useEffect(() => {
    if (place) list.current?.querySelectorAll("li")[place.row]?.querySelector("select")?.focus();
  }, [place]);

  const change = (id: number, changed: Partial<PayoutColumn>) =>
    setRows((shown) => shown.map((row) => (row.id === id ? { ...row, ...changed } : row)));
  const moveUp = (index: number) => {
    setRows((shown) => {
      const moved = shown[index];
      return moved ? shown.filter((row) => row !== moved).toSpliced(index - 1, 0, moved) : shown;
    });
    setPlace({ row: index - 1 });
  };
  const remove = (index: number) => {
    setRows((shown) => shown.toSpliced(index, 1));
    setPlace({ row: Math.max(0, index - 1) });
  };
  const add = () => {
    const id = Math.max(-1, ...rows.map((row) => row.id)) + 1;
    const field = payoutFields.find((one) => rows.every((row) => row.field !== one)) ?? "reference";
    setRows([...rows, { id, field, title: payoutFieldLabels[field].replace(/ \(.*/, "") }]);
    setPlace({ row: rows.length });
  };
  const fault = rows.length === 0 ? null : columnsFault(rows);
  const store = (value: string) =>
    save.mutate(
      { values: { [payoutColumnsKey]: value }, seen: { [payoutColumnsKey]: stored } },
      { onSuccess: () => toast.success(texts.updated) },
    );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (fault !== null || rows.some(({ title }) => titleFault(title) !== null)) return;
    const value = rows.length === 0 ? noPayoutColumns : writePayoutColumns(rows);
    if (value === (stored || noPayoutColumns)) return toast.info(texts.nothingToSave);
    store(value);
  };
  return (
    <Card
      title="Columns for your bank"
      text="The files of payment runs have the usual columns. If your bank wants others, choose them here, in its order and with its titles."
    >
      <form className={classes.columns} onSubmit={submit} noValidate>
        {rows.length > 0 && (
          <ol ref={list} className={classes.columnList} aria-label="Columns">
            {rows.map(({ id, title, field }, index) => (
              <li key={id} className={classes.column}>
                <NativeSelect
                  label="Column"
                  aria-label={`Column ${index + 1}`}
                  value={field}
                  data={fields}
                  onChange={({ currentTarget: { value } }) => {
                    const chosen = payoutFields.find((one) => one === value);
                    if (chosen) change(id, { field: chosen });
                  }}
                />
                <TextInput
                  label="Title"
                  aria-label={`Title of column ${index + 1}`}
                  autoComplete="off"
                  maxLength={payoutColumnLimits.titleLength}
                  value={title}
                  error={isChecked ? titleFault(title) : null}
                  onChange={({ currentTarget: { value } }) => change(id, { title: value })}
                />
                <div className={classes.columnActs}>
                  <Button
                    variant="default"
                    size="sm"
                    px="xs"
                    disabled={index === 0}
                    aria-label={`Move column ${index + 1} up`}
                    onClick={() => moveUp(index)}
                  >
                    <IconArrowUp size={18} aria-hidden="true" />
                  </Button>
                  <Button
                    variant="default"
                    size="sm"
                    px="xs"
                    aria-label={`Remove column ${index + 1}`}
                    onClick={() => remove(index)}
                  >
                    <IconTrash size={18} aria-hidden="true" />
                  </Button>
                </div>
              </li>
            ))}
          </ol>
        )}
        {rows.length === 0 && <p>No columns of your own: files have the usual ones.</p>}
        {isChecked && fault && <Notice tone="negative" isAlert title={fault} />}
        <div className={classes.accountActs}>
          {rows.length === 0 ? (
            <Button
              variant="default"
              onClick={() => {
                setRows(rowsOf(fixedPayoutColumns.generic));
                setPlace({ row: 0 });
              }}
            >
              Choose columns
            </Button>
          ) : (
            <Button
              variant="default"
              leftSection={<IconPlus size={18} aria-hidden="true" />}
              disabled={rows.length >= payoutColumnLimits.columns}
              onClick={add}
            >
              Add column
            </Button>
          )}
          {(rows.length > 0 || parsePayoutColumns(stored) !== null) && (
            <Button type="submit" loading={save.isPending}>
              Save columns
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}
