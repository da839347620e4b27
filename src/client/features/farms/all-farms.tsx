import "#client/ui/mantine/fields.css";
import { Checkbox } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { formatCount } from "#client/lib/format.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { type Column, DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent, MoreRows, RefreshButton } from "#client/ui/lists/list-page.tsx";
import { formatDay } from "#shared/dates.ts";
import { placeOf } from "#shared/farms/texts.ts";
import classes from "./farms.module.css";
import type { FarmsSearch } from "./farms-search.ts";

type Farm = RouterOutputs["farms"]["list"]["items"][number];

const failure = "Farms could not be loaded.";

const columns: readonly Column<Farm>[] = [
  {
    header: "Farm",
    inCard: "head",
    render: ({ id, name, closedAt }) => (
      <span className={classes.named}>
        <TextLink to="/admin/farms/$id" params={{ id: String(id) }} className={classes.name}>
          {name}
        </TextLink>
        {closedAt && <StatusBadge tone="closed">Closed</StatusBadge>}
      </span>
    ),
  },
  { header: "Where", width: "14rem", render: placeOf },
  {
    header: "Projects",
    width: "8rem",
    align: "end",
    render: ({ projects, openProjects }) => {
      if (openProjects === 0) return projects;
      return openProjects === projects ? `${projects} open` : `${projects}, ${openProjects} open`;
    },
  },
  {
    header: "People",
    width: "8rem",
    align: "end",
    render: ({ people, openProjects }) =>
      people === 0 && openProjects > 0 ? <StatusBadge tone="caution">Nobody</StatusBadge> : people,
  },
  {
    header: "Last visited",
    width: "9rem",
    render: ({ visitedOn }) =>
      visitedOn ? (
        <time dateTime={visitedOn}>{formatDay(visitedOn)}</time>
      ) : (
        <span className={classes.fine}>Never</span>
      ),
  },
];

type AllFarmsProps = { search: FarmsSearch; onChange: (changed: FarmsSearch) => void };

/** /admin/farms: who runs projects, found by a part of the name. */
export function AllFarms({ search, onChange }: AllFarmsProps) {
  const { q = "", closed = false } = search;
  const query = trpc.farms.list.useInfiniteQuery(
    { search: q, showClosed: closed },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  );
  const rows = query.data?.pages.flatMap((page) => page.items);
  return (
    <div className={classes.screen}>
      <PageHead
        title="Farms"
        aside={
          <div className={classes.buttons}>
            <RefreshButton query={query} />
            <AddFarm />
          </div>
        }
      />
      <section aria-label="Farms">
        <div className={classes.filters}>
          <SearchField
            label="Search farms by name"
            value={q}
            onChange={(text) => onChange({ ...search, q: text || undefined })}
          />
          <Checkbox
            label="Show closed farms"
            checked={closed}
            onChange={({ currentTarget }) => onChange({ ...search, closed: currentTarget.checked || undefined })}
          />
        </div>
        <ListContent
          query={query}
          rows={rows}
          loading={<DataTableSkeleton label="Loading farms" columns={columns} />}
          failure={failure}
          empty={
            q ? (
              <EmptyState
                title="No farm was found"
                text={closed ? "Try a shorter part of its name." : "It may be closed, or have another name."}
              />
            ) : (
              <EmptyState
                picture="/art/empty-projects.svg"
                title="No farms yet"
                text="A farm runs projects, and its people report from the field. Projects without one are run by you."
                action={<AddFarm />}
              />
            )
          }
          foot={
            <MoreRows
              query={query}
              shown={`${formatCount(rows?.length ?? 0, "farm")} shown`}
              label="Load more farms"
              failure={failure}
            />
          }
        >
          {(shown) => (
            <DataTable
              label="Farms"
              columns={columns}
              rows={shown}
              rowKey={({ id }) => id}
              isStale={query.isPlaceholderData}
            />
          )}
        </ListContent>
      </section>
    </div>
  );
}

function AddFarm() {
  return (
    <LinkButton to="/admin/farms/new" size="sm" leftSection={<IconPlus size={16} aria-hidden="true" />}>
      Add Farm
    </LinkButton>
  );
}
