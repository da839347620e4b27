import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { type Column, DataTable } from "#client/ui/lists/data-table.tsx";
import { formatDate } from "#shared/dates.ts";
import { quantityText, unitLabels } from "#shared/terms-texts.ts";
import { type Harvest, type HarvestProps, nameOf, sumOf } from "./harvest-data.ts";
import classes from "./manage-harvests.module.css";
import { useFirst } from "./use-first.tsx";

type Part = Harvest["parts"][number];
type Row = Pick<Part, "name" | "quantity" | "taken" | "given" | "sold"> & { part: Part | null };

/** Who has what of a harvest. Before the allotment it is what it would be now. */
export function HarvestBackers({ harvest, round }: HarvestProps) {
  const { parts, farmQuantity, state } = harvest;
  const { shown, more } = useFirst(parts, "backers");
  const isFixed = state !== "choosing";
  const farm = farmQuantity ?? 0n;
  const rows: Row[] = shown.map((part) => ({ ...part, part }));
  if (farm > 0n) rows.push({ name: "The farm", quantity: farm, taken: 0n, given: 0n, sold: farm, part: null });
  const sums = {
    quantity: sumOf(parts.map(({ quantity }) => quantity)) + farm,
    taken: sumOf(parts.map(({ taken }) => taken)),
    given: sumOf(parts.map(({ given }) => given)),
    sold: sumOf(parts.map(({ sold }) => sold)) + farm,
  };
  const figure = (header: string, key: keyof typeof sums): Column<Row> => ({
    header,
    align: "end",
    render: (row) => quantityText(row[key]),
    sum: quantityText(sums[key]),
  });
  const chosen = parts.filter(({ chosenAt }) => chosenAt !== null).length;
  const takers = parts.filter(({ taken }) => taken > 0n);
  const collected = takers.filter(({ collectedAt }) => collectedAt !== null).length;
  const columns: Column<Row>[] = [
    { header: "Name", inCard: "head", render: ({ name }) => name, sum: "Sum" },
    figure("Part", "quantity"),
    figure(isFixed ? "Taken" : "Takes", "taken"),
    figure(isFixed ? "Given away" : "Gives away", "given"),
    figure("Sold", "sold"),
    {
      header: "Chosen",
      render: ({ part }) =>
        !part ? "–" : part.chosenAt ? formatDate(part.chosenAt) : isFixed ? "No, so sold" : "Not yet",
      sum: `${chosen} of ${parts.length}`,
    },
    ...(isFixed && takers.length > 0
      ? [
          {
            header: "Collected",
            render: ({ part }: Row) => (part ? <Collected part={part} /> : "–"),
            sum: `${collected} of ${takers.length}`,
          },
        ]
      : []),
  ];
  return (
    <section className={classes.section} aria-label={`Backers of ${nameOf(harvest)}`}>
      <h3 className={classes.heading}>Backers</h3>
      <p className={classes.fine}>
        Quantities in {unitLabels[round.unit].many}.{!isFixed && " As it would be allotted now."}
      </p>
      <DataTable
        label={`Backers of ${nameOf(harvest)}`}
        columns={columns}
        rows={rows}
        rowKey={({ part }) => part?.backingId ?? "farm"}
      />
      {more}
    </section>
  );
}

function Collected({ part: { taken, collectedAt, uncollectedAt } }: { part: Part }) {
  if (taken === 0n) return <span className={classes.fine}>Nothing to collect</span>;
  if (collectedAt) return <StatusBadge tone="positive">{formatDate(collectedAt)}</StatusBadge>;
  if (uncollectedAt) return <StatusBadge tone="neutral">Not in time, sold</StatusBadge>;
  return <StatusBadge tone="waiting">Not yet</StatusBadge>;
}
