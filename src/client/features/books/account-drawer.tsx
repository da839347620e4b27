import "#client/ui/mantine/overlays.css";
import "@mantine/core/styles/Drawer.layer.css";
import { Drawer } from "@mantine/core";
import { formatCount } from "#client/lib/format.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { type Column, DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent, MoreRows } from "#client/ui/lists/list-page.tsx";
import { type BooksAccount, firstDayOf, ledgerAccountLabels, ledgerEventLabel, monthOf } from "#shared/books/texts.ts";
import { formatDateTime } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import { rangeText } from "#shared/papers/texts.ts";
import { figures } from "./account-figures.ts";
import classes from "./books.module.css";

type Entry = RouterOutputs["books"]["entries"]["items"][number];
type Balance = RouterOutputs["books"]["trialBalance"]["accounts"][number];

const failure = "The entries could not be loaded.";

const columns: readonly Column<Entry>[] = [
  {
    header: "Time",
    width: "13rem",
    render: ({ at }) => <time dateTime={at.toISOString()}>{formatDateTime(at)}</time>,
  },
  {
    header: "Event",
    inCard: "head",
    render: ({ kind, reference, title }) => (
      <span className={classes.what}>
        {ledgerEventLabel(kind)}
        {title && <span className={classes.fine}>{title}</span>}
        {reference && <span className={classes.fine}>{reference}</span>}
      </span>
    ),
  },
  { header: "Entry", width: "6rem", align: "end", render: ({ id }) => id.toLocaleString("en-NG") },
  {
    header: "Amount",
    width: "11rem",
    align: "end",
    render: ({ amountKobo }) => <span className="money">{formatNairaExact(amountKobo)}</span>,
  },
];

type AccountDrawerProps = {
  account: BooksAccount | undefined;
  /** Its row of the trial balance, if that is there. */
  balance: Balance | undefined;
  on: string;
  onClose: () => void;
};

/** An account's figures and its entries of the month until the day, beside the trial balance, on phones over it. */
export default function AccountDrawer({ account, balance, on, onClose }: AccountDrawerProps) {
  return (
    <Drawer
      opened={account !== undefined}
      onClose={onClose}
      position="right"
      size="min(100%, 52rem)"
      title={account === undefined ? "Account" : ledgerAccountLabels[account]}
      closeButtonProps={{ "aria-label": "Close" }}
      attributes={{ header: { role: "presentation" } }}
    >
      {balance && (
        <dl className={classes.figures}>
          {figures.map(({ header, figure }) => (
            <div key={figure}>
              <dt>{header}</dt>
              <dd className="money">{formatNairaExact(balance[figure])}</dd>
            </div>
          ))}
        </dl>
      )}
      {account !== undefined && <Entries key={account} account={account} on={on} />}
    </Drawer>
  );
}

function Entries({ account, on }: { account: BooksAccount; on: string }) {
  const query = trpc.books.entries.useInfiniteQuery(
    { account, on },
    { getNextPageParam: (page) => page.nextCursor, staleTime: 0 },
  );
  const rows = query.data?.pages.flatMap((page) => page.items);
  const days = rangeText({ firstDay: firstDayOf(monthOf(on)), lastDay: on });
  return (
    <section aria-label="Entries">
      <p className={classes.days}>{days}, newest first.</p>
      <ListContent
        query={query}
        rows={rows}
        loading={<DataTableSkeleton label="Loading entries" columns={columns} />}
        failure={failure}
        empty={<EmptyState title="No entries" text={`Nothing happened here from ${days}.`} />}
        foot={
          <MoreRows
            query={query}
            shown={`${formatCount(rows?.length ?? 0, "entry", "entries")} shown`}
            label="Load more entries"
            failure={failure}
          />
        }
      >
        {(shown) => <DataTable label="Entries" columns={columns} rows={shown} rowKey={({ id }) => id} />}
      </ListContent>
    </section>
  );
}
