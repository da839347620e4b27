import { keepPreviousData } from "@tanstack/react-query";
import classes from "#client/features/bank/bank.module.css";
import type { Account, BankSearch, ListedImport } from "#client/features/bank/bank-search.ts";
import { BankTabs } from "#client/features/bank/bank-tabs.tsx";
import { VoidBankData } from "#client/features/bank/void-bank-data.tsx";
import { formatCount, formatNumber } from "#client/lib/format.ts";
import { trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { type Column, DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent, MoreRows, RefreshButton } from "#client/ui/lists/list-page.tsx";
import { formatName } from "#shared/bank/import-texts.ts";
import { leftOutInWords } from "#shared/bank/statement-texts.ts";
import { bankTexts } from "#shared/bank/texts.ts";
import { formatDateTime, formatDay } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import { VoidedData } from "./voided.tsx";

/** The files that were imported for an account, the latest first. */
export default function BankImports({ account, search }: { account: Account; search: BankSearch }) {
  const utils = trpc.useUtils();
  const query = trpc.bank.imports.useInfiniteQuery(
    { accountId: account.id },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  );
  const imports = query.data?.pages.flatMap((page) => page.items);
  const columns = query.data?.pages[0]?.canVoid ? [...always, voiding] : always;
  return (
    <section aria-label="Imports">
      <div className={classes.filters}>
        <BankTabs account={account} search={search} shown="imports" />
        <RefreshButton query={query} onClick={() => void utils.bank.invalidate()} />
      </div>
      <ListContent
        query={query}
        rows={imports}
        loading={<DataTableSkeleton label="Loading imports" columns={columns} />}
        failure={bankTexts.importsFailed}
        empty={
          <EmptyState
            picture="/art/empty-payments.svg"
            title="No statement was imported yet"
            text="Each file that is imported appears here, with its days and what was left out of it."
          />
        }
        foot={
          <MoreRows
            query={query}
            shown={`${formatCount(imports?.length ?? 0, "import")} shown. A file that was refused leaves nothing, so it isn't among them.`}
            label="Load more imports"
            failure={bankTexts.importsFailed}
          />
        }
      >
        {(rows) => (
          <DataTable
            label="Imports"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            isStale={query.isPlaceholderData}
          />
        )}
      </ListContent>
      {account.openedOn && account.imports === 0 && query.data?.pages[0]?.canVoid && (
        <p className={classes.opening}>
          The balance before the first line is {formatNairaExact(account.ledgerKobo)}.{" "}
          <VoidBankData
            details={{ what: "opening", accountId: account.id }}
            title="Void the balance before the first line?"
            label="Void the balance before the first line"
          />
        </p>
      )}
      <VoidedData accountId={account.id} />
    </section>
  );
}

const always: Column<ListedImport>[] = [
  {
    header: "File",
    inCard: "head",
    render: ({ fileName, fileUrl, format }) => (
      <span className={classes.narrationCell}>
        {fileUrl ? (
          <a className={classes.fileName} href={fileUrl}>
            {fileName}
          </a>
        ) : (
          <span className={classes.fileName}>{fileName}</span>
        )}
        <span className={classes.dimmed}>{formatName(format)}</span>
      </span>
    ),
  },
  {
    header: "Days",
    width: "14.5rem",
    render: ({ firstDay, lastDay, gapReason }) => (
      <span className={classes.narrationCell}>
        <span>{firstDay === lastDay ? formatDay(firstDay) : `${formatDay(firstDay)} to ${formatDay(lastDay)}`}</span>
        {gapReason && (
          <span className={classes.dimmed} dir="auto">
            Money missing: “{gapReason}”
          </span>
        )}
      </span>
    ),
  },
  {
    header: "Lines",
    width: "8rem",
    render: ({ lines, newLines }) => `${formatNumber(lines)}, ${formatNumber(newLines)} new`,
  },
  {
    header: "Left out",
    width: "11rem",
    render: ({ leftOut }) => leftOutInWords(leftOut) || <span className={classes.dimmed}>Nothing</span>,
  },
  {
    header: "Imported",
    width: "11.5rem",
    render: ({ importedByName, importedAt }) => (
      <span className={classes.narrationCell}>
        <span dir="auto">{importedByName}</span>
        <time className={classes.dimmed} dateTime={importedAt.toISOString()}>
          {formatDateTime(importedAt)}
        </time>
      </span>
    ),
  },
];

const voiding: Column<ListedImport> = {
  header: "Correct",
  width: "7rem",
  render: ({ id, fileName }) => (
    <VoidBankData
      details={{ what: "statement", statementId: id }}
      title={`Void ${fileName}?`}
      label={`Void ${fileName}`}
    />
  ),
};
