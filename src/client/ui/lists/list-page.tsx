import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import { type FailedQuery, LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import classes from "./list-page.module.css";

/** The part of a query that a list shows. */
export type ListQuery = FailedQuery & {
  isError: boolean;
  isRefetchError: boolean;
  /** The rows are those of an earlier question. */
  isPlaceholderData: boolean;
};

/** A query that fetches a page at a time. */
type PagedQuery = {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
};

type ListSectionProps = { title: string; actions?: ReactNode; children: ReactNode };

/** A list that is one of several things on a page: its name, what can be done with all of it, and the list. */
export function ListSection({ title, actions, children }: ListSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

type RefreshButtonProps = {
  query: Pick<ListQuery, "isRefetching" | "isPlaceholderData" | "refetch">;
  label?: string;
  /** Where more than the list is to be asked for again. */
  onClick?: () => void;
};

export function RefreshButton({ query, label = "Refresh", onClick }: RefreshButtonProps) {
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<IconRefresh size={16} aria-hidden="true" />}
      loading={query.isRefetching && !query.isPlaceholderData}
      onClick={onClick ?? (() => void query.refetch())}
    >
      {label}
    </Button>
  );
}

type ListContentProps<Row> = {
  query: ListQuery;
  /** Undefined until the first of them have come. */
  rows: readonly Row[] | undefined;
  /** Where a page without rows doesn't mean that there are none. */
  isEmpty?: boolean;
  /** The list's shape while they come. */
  loading: ReactNode;
  /** Said where they can't be fetched, and where they can't be fetched again. */
  failure: string;
  /** In the place of the error state that says so. */
  failed?: ReactNode;
  /** There are none. */
  empty: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
  /** The foot below the rows. */
  foot?: ReactNode;
};

/** The rows of a list, or why there are none. Rows that were there stay while others are asked for. */
export function ListContent<Row>(props: ListContentProps<Row>) {
  const { query, rows, isEmpty = rows?.length === 0, loading, failure, failed, empty, children, foot } = props;
  if (!rows) {
    if (!query.isError) return loading;
    return failed ?? <LoadFailed query={query} title={failure} />;
  }
  if (isEmpty && !query.isPlaceholderData) return empty;
  return (
    <>
      {children(rows)}
      {query.isRefetchError && (
        <p className={classes.stale} role="alert">
          {failure.replace(/\.$/, "")}. The rows above may be out of date.
        </p>
      )}
      {foot}
    </>
  );
}

type MoreRowsProps = {
  query: PagedQuery;
  /** "3 payments shown". */
  shown?: string;
  /** "Load more payments". */
  label: string;
  /** Said where the next page can't be fetched. */
  failure: string;
  isDense?: boolean;
};

/** How many rows there are so far, and the way to more of them. */
export function MoreRows({ query, shown, label, failure, isDense = false }: MoreRowsProps) {
  return (
    <div className={classes.more} data-dense={isDense || undefined}>
      {shown && <p role="status">{shown}</p>}
      {query.isFetchNextPageError && <p role="alert">{failure}</p>}
      {query.hasNextPage && (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {label}
        </Button>
      )}
    </div>
  );
}
