import "#client/ui/mantine/fields.css";
import { NativeSelect } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { formatCount } from "#client/lib/format.ts";
import { can, useViewer } from "#client/lib/session/session.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { PaperButton } from "#client/shared-parts/paper-button.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { type Column, DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent, MoreRows, RefreshButton } from "#client/ui/lists/list-page.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import { paperKinds } from "#shared/papers/kinds.ts";
import { paperKindLabels, rangeText } from "#shared/papers/texts.ts";
import classes from "./papers.module.css";
import type { PapersSearch } from "./papers-search.ts";
import { RangeForm } from "./range-form.tsx";

type Paper = RouterOutputs["papers"]["list"]["items"][number];

const failure = "Papers could not be loaded.";

const columns: readonly Column<Paper>[] = [
  {
    header: "Number",
    width: "11rem",
    inCard: "head",
    render: ({ number }) => <span className="reference">{number}</span>,
  },
  {
    header: "Kind",
    width: "12rem",
    render: ({ kind, about, firstDay, lastDay }) => (
      <span className={classes.kind}>
        {paperKindLabels[kind]}
        {about && <span className={classes.fine}>{about}</span>}
        {firstDay && lastDay && <span className={classes.fine}>{rangeText({ firstDay, lastDay })}</span>}
      </span>
    ),
  },
  {
    header: "Person",
    render: ({ userId, fullName }) =>
      userId ? (
        <TextLink to="/admin/papers" search={{ user: userId }}>
          {fullName ?? "Closed account"}
        </TextLink>
      ) : (
        "Nobody's own"
      ),
  },
  {
    header: "Amount",
    width: "10rem",
    align: "end",
    render: ({ amountKobo }) => <span className="money">{formatNairaExact(amountKobo)}</span>,
  },
  {
    header: "Made on",
    width: "8rem",
    render: ({ createdAt }) => <time dateTime={createdAt.toISOString()}>{formatDate(createdAt)}</time>,
  },
  {
    header: "State",
    width: "10rem",
    render: ({ replacedAt }) =>
      replacedAt ? (
        <StatusBadge tone="neutral">No longer valid</StatusBadge>
      ) : (
        <StatusBadge tone="positive">Valid</StatusBadge>
      ),
  },
  {
    header: "Paper",
    width: "9rem",
    inCard: "wide",
    render: ({ number, url }) => <PaperButton name={number} find={async () => ({ number, url })} />,
  },
];

type AllPapersProps = { search: PapersSearch; onChange: (changed: PapersSearch) => void };

/** /admin/papers: everybody's papers, the statement of one person, and the tax withheld. */
export function AllPapers({ search, onChange }: AllPapersProps) {
  const { kind, q = "", user } = search;
  const utils = trpc.useUtils();
  const query = trpc.papers.list.useInfiniteQuery(
    { kind: kind ?? null, userId: user ?? null, search: q },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  );
  const statement = trpc.papers.statementOf.useMutation();
  const taxes = trpc.papers.taxList.useMutation();
  const onMade = () => void utils.papers.list.invalidate();
  const rows = query.data?.pages.flatMap((page) => page.items);
  // Somebody without papers is in no row; whoever may manage users reads the name all the same.
  const mayAsk = can(useViewer(), "users:manage");
  const person = trpc.users.byId.useQuery({ userId: user ?? "" }, { enabled: user !== undefined && mayAsk });
  const name = rows?.find(({ userId }) => userId === user)?.fullName ?? person.data?.fullName ?? "this person";
  return (
    <div className={classes.screen}>
      <PageHead title={user ? `Papers of ${name}` : "Papers"} aside={<RefreshButton query={query} />} />
      <section aria-label="Papers">
        <div className={classes.filters}>
          <SearchField
            label="Search by number, name or email"
            value={q}
            onChange={(text) => onChange({ ...search, q: text || undefined })}
          />
          <NativeSelect
            aria-label="Kind"
            value={kind ?? ""}
            data={[
              { value: "", label: "All kinds" },
              ...paperKinds.map((value) => ({ value, label: paperKindLabels[value] })),
            ]}
            onChange={({ currentTarget }) =>
              onChange({ ...search, kind: paperKinds.find((value) => value === currentTarget.value) })
            }
          />
        </div>
        <ListContent
          query={query}
          rows={rows}
          loading={<DataTableSkeleton label="Loading papers" columns={columns} />}
          failure={failure}
          empty={
            kind || q || user ? (
              <EmptyState title="No paper was found" />
            ) : (
              <EmptyState title="No papers" text="A paper is made with each approval, refund, settlement and run." />
            )
          }
          foot={
            <MoreRows
              query={query}
              shown={`${formatCount(rows?.length ?? 0, "paper")} shown`}
              label="Load more papers"
              failure={failure}
            />
          }
        >
          {(shown) => (
            <DataTable
              label="Papers"
              columns={columns}
              rows={shown}
              rowKey={({ id }) => id}
              isStale={query.isPlaceholderData}
            />
          )}
        </ListContent>
        {user && <TextLink to="/admin/papers">Show everybody's papers</TextLink>}
      </section>
      {user && (
        <SectionCard title={`Statement of ${name}`} text="What they paid, what came back and what is due to them.">
          <RangeForm
            key={user}
            label="Make statement"
            make={(range) => statement.mutateAsync({ ...range, userId: user })}
            onMade={onMade}
          />
        </SectionCard>
      )}
      <SectionCard title="Tax withheld" text="What settlements withheld of each person, for the tax office.">
        <RangeForm label="Make list" make={(range) => taxes.mutateAsync(range)} onMade={onMade} />
      </SectionCard>
    </div>
  );
}
