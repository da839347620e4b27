import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import "#client/ui/mantine/fields.css";
import { TextInput } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Suspense } from "react";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ExportMenu } from "#client/shared-parts/export-menu.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { type Column, DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent, ListSection, RefreshButton } from "#client/ui/lists/list-page.tsx";
import { type BooksAccount, booksAccounts, firstDayOf, ledgerAccountLabels, monthOf } from "#shared/books/texts.ts";
import { dayInLagos, formatDay } from "#shared/dates.ts";
import { formatNairaExact, type Kobo } from "#shared/money.ts";
import { type Figure, figures } from "./account-figures.ts";
import classes from "./books.module.css";
import type { BooksSearch } from "./books-search.ts";
import { ClosedMonths } from "./closed-months.tsx";

const AccountDrawer = lazyDialog(() => import("./account-drawer.tsx"));

type Balance = RouterOutputs["books"]["trialBalance"]["accounts"][number];

const sumOf = (rows: readonly Balance[], figure: Figure): Kobo => rows.reduce((sum, row) => sum + row[figure], 0n);
const Money = ({ kobo }: { kobo: Kobo }) => <span className="money">{formatNairaExact(kobo)}</span>;

const columnsOf = (rows: readonly Balance[], onOpen: (account: BooksAccount) => void): readonly Column<Balance>[] => [
  {
    header: "Account",
    inCard: "head",
    sum: "All accounts",
    render: ({ account }) => (
      <button type="button" className={classes.account} onClick={() => onOpen(account)}>
        {ledgerAccountLabels[account]}
      </button>
    ),
  },
  ...figures.map(
    ({ header, figure }): Column<Balance> => ({
      header,
      align: "end",
      width: "11rem",
      // On a phone the others stand with the account's entries.
      ...(figure !== "balance" && { inCard: "none" }),
      sum: <Money kobo={sumOf(rows, figure)} />,
      render: (row) => <Money kobo={row[figure]} />,
    }),
  ),
];

type BooksProps = { search: BooksSearch; onChange: (changed: BooksSearch) => void };

/** /admin/books: the trial balance of a day, what an account's balance is made of, and the months that are closed. */
export function Books({ search, onChange }: BooksProps) {
  const today = dayInLagos(new Date());
  const on = search.on ?? today;
  const opened = booksAccounts.find((account) => account === search.account);
  const month = { from: firstDayOf(monthOf(on)), to: on };
  const query = trpc.books.trialBalance.useQuery({ on }, { placeholderData: keepPreviousData, staleTime: 0 });
  const columns = columnsOf(query.data?.accounts ?? [], (account) => onChange({ ...search, account }));
  return (
    <div className={classes.screen}>
      <PageHead
        title="Books"
        text="Every naira is in an account. Plus is what the platform has, minus what it owes, and all of them sum to zero."
      />
      <ListSection title="Trial balance">
        <div className={classes.filters}>
          <TextInput
            type="date"
            label="At the end of"
            min="2020-01-01"
            max={today}
            value={on}
            onChange={({ currentTarget }) => onChange({ ...search, on: currentTarget.value || undefined })}
          />
          <div className={classes.buttons}>
            <RefreshButton query={query} />
            <ExportMenu
              tables={[
                { name: "trial-balance", label: "Trial balance", filter: { on } },
                { name: "ledger", label: "Entries of the month", filter: month },
                { name: "vat", label: "VAT of the month", filter: month },
                { name: "fees", label: "Fees of the month", filter: month },
                { name: "ledger", label: "The whole ledger" },
              ]}
            />
          </div>
        </div>
        <ListContent
          query={query}
          rows={query.data?.accounts}
          loading={<DataTableSkeleton label="Loading the trial balance" columns={columns} />}
          failure="The trial balance could not be loaded."
          empty={<EmptyState title={`Nothing was posted until ${formatDay(on)}`} />}
          foot={
            <p className={classes.hint}>
              Brought forward is what an account held when the month began, in and out what happened from{" "}
              {formatDay(month.from)} to {formatDay(on)}.
            </p>
          }
        >
          {(rows) => (
            <DataTable
              label="Trial balance"
              columns={columns}
              rows={rows}
              rowKey={({ account }) => account}
              isStale={query.isPlaceholderData}
            />
          )}
        </ListContent>
      </ListSection>
      <ClosedMonths />
      <Suspense>
        <AccountDrawer
          account={opened}
          balance={query.data?.accounts.find(({ account }) => account === opened)}
          on={on}
          onClose={() => onChange({ ...search, account: undefined })}
        />
      </Suspense>
    </div>
  );
}
