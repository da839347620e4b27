import { Button } from "@mantine/core";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { PaperButton } from "#client/shared-parts/paper-button.tsx";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { type Column, DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent, ListSection } from "#client/ui/lists/list-page.tsx";
import { lastDayOf, monthOf, monthText } from "#shared/books/texts.ts";
import { formatDateTime } from "#shared/dates.ts";
import { shortHash } from "#shared/papers/texts.ts";
import classes from "./books.module.css";

type Closing = RouterOutputs["books"]["closings"]["closings"][number];
type Next = NonNullable<RouterOutputs["books"]["closings"]["next"]>;

const columns: readonly Column<Closing>[] = [
  {
    header: "Month",
    inCard: "head",
    render: ({ month }) => (
      <TextLink to="/admin/books" search={{ on: lastDayOf(monthOf(month)) }} className={classes.month}>
        {monthText(month)}
      </TextLink>
    ),
  },
  { header: "Entries", align: "end", width: "7rem", render: ({ entries }) => entries.toLocaleString("en-NG") },
  {
    header: "Hash",
    width: "8rem",
    render: ({ hash }) => (
      <code className={classes.hash} title={hash}>
        {shortHash(hash)}
      </code>
    ),
  },
  {
    header: "Closed",
    width: "14rem",
    render: ({ closedBy, createdAt }) => (
      <span className={classes.what}>
        <time dateTime={createdAt.toISOString()}>{formatDateTime(createdAt)}</time>
        <span className={classes.fine}>by {closedBy || "a closed account"}</span>
      </span>
    ),
  },
  {
    header: "Paper",
    width: "9rem",
    inCard: "wide",
    render: ({ month, paper }) => <PaperButton name={`the books of ${monthText(month)}`} find={async () => paper} />,
  },
];

/** The months that are closed, and the button that closes the next. */
export function ClosedMonths() {
  const query = trpc.books.closings.useQuery(undefined, { staleTime: 0 });
  const next = query.data?.next;
  return (
    <ListSection title="Months">
      {next && <NextMonth key={next.month} next={next} />}
      <ListContent
        query={query}
        rows={query.data?.closings}
        loading={<DataTableSkeleton label="Loading months" columns={columns} />}
        failure="The months could not be loaded."
        empty={<EmptyState title="No month is closed yet" />}
      >
        {(rows) => <DataTable label="Closed months" columns={columns} rows={rows} rowKey={({ month }) => month} />}
      </ListContent>
    </ListSection>
  );
}

function NextMonth({ next: { month, from, isOpen } }: { next: Next }) {
  const utils = trpc.useUtils();
  const [isAsked, setAsked] = useState(false);
  const name = monthText(month);
  const close = trpc.books.close.useMutation({
    onSuccess: ({ number }) => toast.success(`${name} is closed`, `Its paper is ${number}.`),
    onError: (error) => toast.error(`${name} was not closed`, errorText(error)),
    onSettled: async () => {
      setAsked(false);
      await utils.books.invalidate();
    },
  });
  if (!isOpen) {
    return (
      <div className={classes.next}>
        <p>
          {name} can be closed from {formatDateTime(from)} on.
        </p>
      </div>
    );
  }
  return (
    <div className={classes.next}>
      <Button onClick={() => setAsked(true)}>Close {name}</Button>
      <p className={classes.fine}>Its balances are frozen, and a paper is made of them.</p>
      <LazyConfirmDialog
        opened={isAsked}
        title={`Close ${name}?`}
        confirmLabel={`Close ${name}`}
        isPending={close.isPending}
        onConfirm={() => close.mutate({ month })}
        onClose={() => setAsked(false)}
      >
        It can't be opened again. Whatever is posted later belongs to a later month.
      </LazyConfirmDialog>
    </div>
  );
}
