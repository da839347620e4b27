import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import "#client/ui/mantine/fields.css";
import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useId, useState } from "react";
import { formatCount } from "#client/lib/format.ts";
import { trpc } from "#client/lib/trpc.ts";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { type Column, DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { formatDate } from "#shared/dates.ts";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { type HarvestPartsShown, harvestPartsShown } from "#shared/harvests/texts.ts";
import { formatQuantity, quantityText, unitLabels } from "#shared/projects/terms-texts.ts";
import { type Harvest, type HarvestProps, nameOf, type Part } from "./harvest-data.ts";
import classes from "./manage-harvests.module.css";

/** Who has what of a harvest: in sums, and by name when asked. Before the allotment it is what it would be now. */
export function HarvestBackers({ harvest, round }: HarvestProps) {
  const [isOpen, setIsOpen] = useState(false);
  const listId = useId();
  const { parts, farmQuantity } = harvest;
  const isFixed = isFixedIn(harvest);
  const sums = [
    ["Backers have", parts.quantity],
    [isFixed ? "Taken" : "Take", parts.taken],
    [isFixed ? "Donated" : "Donate", parts.given],
    ["Sold for them", parts.sold],
    ["Of the farm, sold", farmQuantity],
  ] as const;
  return (
    <section className={classes.section} aria-label={`Backers of ${nameOf(harvest)}`}>
      <h3 className={classes.heading}>Backers</h3>
      {!isFixed && <p className={classes.fine}>As it would be shared out now.</p>}
      <dl className={classes.sums}>
        {sums.map(
          ([label, quantity], index) =>
            (quantity > 0n || index === 0) && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{formatQuantity(quantity, round.unit)}</dd>
              </div>
            ),
        )}
      </dl>
      <Button
        className={classes.action}
        variant="default"
        size="sm"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? "Hide the backers" : `Show ${parts.count === 1 ? "the backer" : formatCount(parts.count, "backer")}`}
      </Button>
      {isOpen && (
        <div id={listId} className={classes.list}>
          {/* The allotment offers other filters: what was chosen before it would find nobody. */}
          <PartList key={String(isFixed)} harvest={harvest} round={round} />
        </div>
      )}
    </section>
  );
}

const isFixedIn = ({ state }: Harvest): boolean => state !== "choosing";

const shownLabels: Record<HarvestPartsShown, string> = {
  all: "Everybody",
  unchosen: "Who hasn't chosen",
  waiting: "Who hasn't collected",
};

/** The backers by name, fifty at a time. */
function PartList({ harvest, round }: HarvestProps) {
  const { id: harvestId, parts } = harvest;
  const [search, setSearch] = useState("");
  const [shown, setShown] = useState<HarvestPartsShown>("all");
  const query = trpc.harvests.parts.useInfiniteQuery(
    { harvestId, search, shown },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  );
  const isFixed = isFixedIn(harvest);
  const columns = partColumns(isFixed, isFixed && parts.takers > 0);
  const other = isFixed ? (parts.takers > 0 ? "waiting" : null) : "unchosen";
  const found = query.data?.pages.flatMap((page) => page.items);
  return (
    <>
      <div className={classes.filters}>
        <SearchField label="Find a backer" placeholder="Name" value={search} onChange={setSearch} />
        {other && (
          <NativeSelect
            aria-label="Which backers"
            data={(["all", other] as const).map((value) => ({ value, label: shownLabels[value] }))}
            value={shown}
            onChange={({ currentTarget }) =>
              setShown(harvestPartsShown.find((one) => one === currentTarget.value) ?? "all")
            }
          />
        )}
      </div>
      <p className={classes.fine}>Quantities in {unitLabels[round.unit].many}.</p>
      {!found ? (
        query.isError ? (
          <LoadFailed query={query} title={texts.partsLoadFailed} />
        ) : (
          <DataTableSkeleton label="Loading the backers" columns={columns} />
        )
      ) : found.length === 0 ? (
        <p role="status">{texts.nobodyFound}</p>
      ) : (
        <DataTable
          label={`Backers of ${nameOf(harvest)}`}
          columns={columns}
          rows={found}
          rowKey={({ backingId }) => backingId}
          isStale={query.isPlaceholderData}
        />
      )}
      {query.isFetchNextPageError && <p role="alert">More could not be loaded. Please try again.</p>}
      {query.hasNextPage && (
        <Button
          className={classes.action}
          variant="default"
          size="sm"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Load more backers
        </Button>
      )}
    </>
  );
}

function partColumns(isFixed: boolean, isCollecting: boolean): Column<Part>[] {
  const figure = (header: string, key: "quantity" | "taken" | "given" | "sold"): Column<Part> => ({
    header,
    align: "end",
    render: (part) => quantityText(part[key]),
  });
  return [
    { header: "Name", inCard: "head", render: ({ name }) => name },
    figure("Part", "quantity"),
    figure(isFixed ? "Taken" : "Takes", "taken"),
    figure(isFixed ? "Donated" : "Donates", "given"),
    figure("Sold", "sold"),
    {
      header: "Chosen",
      render: ({ chosenAt }) => (chosenAt ? formatDate(chosenAt) : isFixed ? "No, so sold" : "Not yet"),
    },
    ...(isCollecting ? [{ header: "Collected", render: (part: Part) => <Collected part={part} /> }] : []),
  ];
}

function Collected({ part: { taken, collectedAt, uncollectedAt } }: { part: Part }) {
  if (taken === 0n) return <span className={classes.fine}>Nothing to collect</span>;
  if (collectedAt) return <StatusBadge tone="positive">{formatDate(collectedAt)}</StatusBadge>;
  if (uncollectedAt) return <StatusBadge tone="neutral">Not in time, sold</StatusBadge>;
  return <StatusBadge tone="waiting">Not yet</StatusBadge>;
}
