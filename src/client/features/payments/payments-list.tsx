import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { errorText } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { DataTableSkeleton } from "#client/ui/data-table.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { ErrorState } from "#client/ui/error-state.tsx";
import { LinkButton } from "#client/ui/link-button.tsx";
import { PageHead } from "#client/ui/page-head.tsx";
import { type PaymentStatus, paymentStatuses, paymentStatusLabels } from "#shared/payment-statuses.ts";
import { paymentTexts } from "#shared/payment-texts.ts";
import { paymentColumns } from "./payment-columns.tsx";
import classes from "./payments.module.css";
import { PaymentsTable } from "./payments-table.tsx";

const skeletonColumns = paymentColumns({
  canProcess: false,
  isLocked: true,
  onChoose: () => undefined,
  onView: () => undefined,
});

/** All payments, newest first, or those with one status; a page at a time. */
export function PaymentsList({ status }: { status: PaymentStatus | undefined }) {
  // Somebody decides about money by it: never an answer of minutes ago.
  const query = trpc.payments.list.useInfiniteQuery(
    { status },
    {
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: keepPreviousData,
      staleTime: 0,
    },
  );
  const payments = query.data?.pages.flatMap((page) => page.items);
  const canProcess = query.data?.pages[0]?.canProcess ?? false;
  let content: ReactNode;
  if (!payments) {
    content = query.isError ? (
      <ErrorState
        title={paymentTexts.fetchFailed}
        text={errorText(query.error)}
        onRetry={() => void query.refetch()}
        isRetrying={query.isRefetching}
      />
    ) : (
      <DataTableSkeleton label="Loading payments" columns={skeletonColumns} />
    );
  } else if (payments.length === 0 && !query.isPlaceholderData) {
    content = <NoPayments status={status} />;
  } else {
    content = (
      <>
        <PaymentsTable payments={payments} canProcess={canProcess} isStale={query.isPlaceholderData} />
        {query.isRefetchError && (
          <p className={classes.stale} role="alert">
            {paymentTexts.fetchFailed}. The rows above may be out of date.
          </p>
        )}
        <div className={classes.more}>
          <p role="status">{payments.length === 1 ? "1 payment shown" : `${payments.length} payments shown`}</p>
          {query.isFetchNextPageError && <p role="alert">{paymentTexts.fetchFailed}</p>}
          {query.hasNextPage && (
            <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
              Load more payments
            </Button>
          )}
        </div>
      </>
    );
  }
  return (
    <>
      <PageHead
        title="Payments"
        aside={
          <Button
            variant="default"
            size="sm"
            leftSection={<IconRefresh size={16} aria-hidden="true" />}
            loading={query.isRefetching && !query.isPlaceholderData}
            onClick={() => void query.refetch()}
          >
            Refresh Data
          </Button>
        }
      />
      <StatusFilter />
      {content}
    </>
  );
}

function StatusFilter() {
  return (
    <nav className={classes.filter} aria-label="Filter by status">
      {[undefined, ...paymentStatuses].map((one) => (
        <Link
          key={one ?? "all"}
          to="/admin/payments"
          search={{ status: one }}
          replace
          resetScroll={false}
          className={classes.choice}
          // "All" is the current one only where the address names no status.
          activeOptions={{ exact: true }}
        >
          {one ? paymentStatusLabels[one] : "All"}
        </Link>
      ))}
    </nav>
  );
}

function NoPayments({ status }: { status: PaymentStatus | undefined }) {
  return status ? (
    <EmptyState
      picture="/art/empty-payments.svg"
      title={`No ${status} payments`}
      action={
        <LinkButton to="/admin/payments" search={{}} variant="default">
          Show all payments
        </LinkButton>
      }
    />
  ) : (
    <EmptyState
      picture="/art/empty-payments.svg"
      title="No payments yet"
      text="A payment stands here as soon as a backer has sent a receipt."
      action={
        <LinkButton to="/admin/dashboard" variant="default">
          Back to Dashboard
        </LinkButton>
      }
    />
  );
}
