import "#client/ui/mantine/fields.css";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { formatCount } from "#client/lib/format.ts";
import { useCan } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { type Column, DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent, MoreRows, RefreshButton } from "#client/ui/lists/list-page.tsx";
import { type LineTab, lineTabLabels } from "#shared/bank/line-tabs.ts";
import { bankTexts, lineMatchKindLabels, restOf, suggestionLabels } from "#shared/bank/texts.ts";
import { formatDay } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import classes from "./bank.module.css";
import type { Account, BankSearch, ListedLine } from "./bank-search.ts";
import { BankTabs, firstTab } from "./bank-tabs.tsx";
import { Moved } from "./moved.tsx";

/** The lines of an account by what is left to do with them, the latest first. */
export function BankLines({ account, search }: { account: Account; search: BankSearch }) {
  const navigate = useNavigate({ from: "/admin/bank" });
  const utils = trpc.useUtils();
  const tab = search.tab ?? firstTab(account);
  const query = trpc.bank.lines.useInfiniteQuery(
    { accountId: account.id, tab, search: search.q },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  );
  const lines = query.data?.pages.flatMap((page) => page.items);
  const columns = lineColumns(search, tab, useCan("bank:import"));
  return (
    <section aria-label="Lines of the statements">
      <div className={classes.filters}>
        <BankTabs account={account} search={search} shown={tab} />
        <div className={classes.search}>
          <SearchField
            label="Search lines"
            placeholder="Narration, reference or amount..."
            value={search.q ?? ""}
            onChange={(text) =>
              void navigate({
                search: (before) => ({ ...before, q: text || undefined }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        </div>
        <RefreshButton query={query} onClick={() => void utils.bank.invalidate()} />
      </div>
      <ListContent
        query={query}
        rows={lines}
        loading={<DataTableSkeleton label="Loading lines" columns={columns} />}
        failure={bankTexts.linesFailed}
        empty={<NoLines tab={tab} account={account} search={search} />}
        foot={
          <MoreRows
            query={query}
            shown={`${formatCount(lines?.length ?? 0, "line")} shown`}
            label="Load more lines"
            failure={bankTexts.linesFailed}
          />
        }
      >
        {(rows) => (
          <DataTable
            label={lineTabLabels[tab]}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            isStale={query.isPlaceholderData}
          />
        )}
      </ListContent>
    </section>
  );
}

function lineColumns(search: BankSearch, tab: LineTab, mayMatch: boolean): Column<ListedLine>[] {
  const verbOf = (line: ListedLine) => (isExplained(line) || !mayMatch ? "View" : "Match");
  return [
    {
      header: "Date",
      width: "7rem",
      render: ({ date }) => (
        <time dateTime={date} className={classes.date}>
          {formatDay(date)}
        </time>
      ),
    },
    {
      header: "What the bank wrote",
      inCard: "head",
      render: ({ narration, counterparty, isReversal, gapKobo }) => (
        <span className={classes.narrationCell}>
          <span className={classes.narration} dir="auto">
            {narration || "No narration"}
          </span>
          {counterparty && (
            <span className={classes.dimmed} dir="auto">
              {counterparty}
            </span>
          )}
          {isReversal && <StatusBadge tone="caution">Reversal</StatusBadge>}
          {gapKobo !== null && (
            <StatusBadge tone="caution">{formatNairaExact(gapKobo)} missing before this line</StatusBadge>
          )}
        </span>
      ),
    },
    {
      header: "Amount",
      width: "10rem",
      align: "end",
      render: ({ amountKobo }) => <Moved kobo={amountKobo} />,
    },
    {
      header: tab === "suggested" ? lineTabLabels.suggested : "Matched to",
      width: "15rem",
      render: (line) => <Explanation line={line} />,
    },
    {
      header: "Actions",
      width: "6.5rem",
      inCard: "wide",
      render: (line) => (
        <LinkButton
          to="/admin/bank"
          search={{ ...search, line: line.id }}
          resetScroll={false}
          variant="default"
          size="sm"
          aria-label={`${verbOf(line)} ${formatNairaExact(line.amountKobo)} of ${formatDay(line.date)}`}
        >
          {verbOf(line)}
        </LinkButton>
      ),
    },
  ];
}

const isExplained = (line: ListedLine) => restOf(line) === 0n;

function Explanation({ line }: { line: ListedLine }) {
  const { explainedBy, suggestedRule, reference } = line;
  if (explainedBy.length === 0) {
    if (suggestedRule) {
      return (
        <span className={classes.narrationCell}>
          <StatusBadge tone="waiting">{suggestionLabels[suggestedRule]}</StatusBadge>
          {reference && <span className={classes.dimmed}>{reference}</span>}
        </span>
      );
    }
    return <span className={classes.dimmed}>Nothing yet</span>;
  }
  return (
    <span className={classes.narrationCell}>
      {explainedBy.map(({ kind, reference: paid, personName, ofRun, amountKobo }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the matches of a line are in their order.
        <span key={index}>
          {ofRun ? `Payment run ${ofRun.id}` : (personName ?? lineMatchKindLabels[kind])}
          {ofRun && <span className={classes.dimmed}> {formatCount(ofRun.payouts, "payout")}</span>}
          {paid && <span className={classes.dimmed}> {paid}</span>}
          {explainedBy.length > 1 && <span className={`${classes.dimmed} money`}> {formatNairaExact(amountKobo)}</span>}
        </span>
      ))}
      {!isExplained(line) && <StatusBadge tone="waiting">{formatNairaExact(restOf(line))} left</StatusBadge>}
    </span>
  );
}

const nothing: Record<LineTab, { title: string; text: string }> = {
  to_match: { title: "Everything is matched", text: "Nothing of this account waits for you." },
  suggested: { title: "No suggestions", text: "Lines for which something fits appear here, until you choose." },
  matched: {
    title: "Nothing is matched yet",
    text: "Lines appear here once a payment or a reason covers all of them.",
  },
  own: {
    title: "Nothing is ignored",
    text: "Movements of the company's own money appear here, each with the reason that was given.",
  },
};

function NoLines({ tab, account, search }: { tab: LineTab; account: Account; search: BankSearch }) {
  if (search.q) {
    return (
      <EmptyState
        title={`No lines match "${search.q}"`}
        text={`Only lines under “${lineTabLabels[tab]}” were searched.`}
        action={
          <LinkButton
            to="/admin/bank"
            search={{ ...search, q: undefined }}
            replace
            resetScroll={false}
            variant="default"
          >
            Clear the search
          </LinkButton>
        }
      />
    );
  }
  const others = tab === "to_match" && account.counts.suggested > 0;
  return (
    <EmptyState
      picture={tab === "to_match" && !others ? "/art/success.svg" : undefined}
      title={others ? "Nothing is without a suggestion" : nothing[tab].title}
      text={others ? "For every line that waits something fits. Look at the suggestions." : nothing[tab].text}
      action={
        others && (
          <LinkButton to="/admin/bank" search={{ ...search, tab: "suggested" }} replace resetScroll={false}>
            Show {formatCount(account.counts.suggested, "suggestion")}
          </LinkButton>
        )
      }
    />
  );
}
