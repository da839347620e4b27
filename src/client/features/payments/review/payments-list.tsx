import { lazyDialog, lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import "#client/ui/mantine/overlays.css";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { formatCount } from "#client/lib/format.ts";
import { useLive } from "#client/lib/live.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ExportMenu } from "#client/shared-parts/export-menu.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent, MoreRows, RefreshButton } from "#client/ui/lists/list-page.tsx";
import { paymentTexts } from "#shared/payments/texts.ts";
import type { Decision } from "./decision-form.tsx";
import { paymentColumns } from "./payment-columns.tsx";
import { BankFilter, countOf, filterOf, NoPayments, ProjectFilter, StatusFilter } from "./payment-filters.tsx";
import classes from "./payments.module.css";
import type { AdminPayment, PaymentsSearch } from "./payments-search.ts";
import { usePaymentWalk } from "./use-payment-walk.ts";
import { useSetStatus } from "./use-set-status.ts";

const skeletonColumns = paymentColumns({
  canProcess: false,
  isLocked: true,
  onChoose: () => undefined,
  onView: () => undefined,
});

const DecisionDialog = lazyDialog(() => import("./decision-form.tsx"));
const ChangeHolder = lazyDialog(() => import("#client/features/payments/holder-changes/change-holder.tsx"));
const RunningChanges = lazyPart(() => import("#client/features/payments/holder-changes/running-changes.tsx"));
const ReceiptDialog = lazyDialog(() => import("./receipt-dialog.tsx"));

/**
 * The payments that the filters leave, newest first and what is late oldest first, a page at a time; and the two
 * dialogs that belong to a row.
 */
export function PaymentsList({ filters }: { filters: PaymentsSearch }) {
  const { bank, search, sameReceipt } = filters;
  const navigate = useNavigate({ from: "/admin/payments" });
  const filter = filterOf(filters);
  // Somebody decides about money by it: never an answer of minutes ago.
  const query = trpc.payments.list.useInfiniteQuery(filter, {
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const counts = useStatusCounts(filters);
  const payments = query.data?.pages.flatMap((page) => page.items);
  const first = query.data?.pages[0];
  const canProcess = first?.canProcess ?? false;
  const isBankKnown = first?.isBankKnown ?? false;
  const unseenLimit = first?.unseenLimit ?? null;
  const update = useSetStatus();
  const walk = usePaymentWalk(filter, query);
  const [decision, setDecision] = useState<Decision | null>(null);
  const [passing, setPassing] = useState<AdminPayment | null>(null);
  const columns = paymentColumns({
    canProcess,
    isLocked: update.isPending,
    onChoose: (payment, status) => setDecision({ payment, status, receiptSha256: payment.receipt?.sha256 ?? null }),
    onView: walk.open,
  });
  return (
    <>
      <PageHead
        title="Payments"
        aside={
          <div className={classes.buttons}>
            <TextLink to="/admin/papers">Papers</TextLink>
            <ExportMenu
              tables={[{ name: "payments", label: "Payments", filter: { ...filter, late: filter.late && "true" } }]}
            />
            <RefreshButton
              query={query}
              label="Refresh Data"
              onClick={() => {
                void query.refetch();
                counts.refetch();
              }}
            />
          </div>
        }
      />
      {canProcess && (
        <Suspense fallback={null}>
          <RunningChanges />
        </Suspense>
      )}
      <div className={classes.filters}>
        <StatusFilter filters={filters} counts={counts.data} />
        {(isBankKnown || bank) && <BankFilter filters={filters} />}
        <div className={classes.search}>
          <SearchField
            label="Search payments"
            placeholder="Name, email or reference..."
            value={search ?? ""}
            onChange={(text) =>
              void navigate({
                search: (before) => ({ ...before, search: text || undefined }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        </div>
        <ProjectFilter projectId={filters.project} />
      </div>
      {sameReceipt !== undefined && (
        <div className={classes.shared}>
          <Notice tone="caution" title={paymentTexts.sharedFile}>
            <p>
              The same file was sent for each of them.{" "}
              <TextLink to="/admin/payments" search={{ status: "all" }}>
                Show all payments
              </TextLink>
            </p>
          </Notice>
        </div>
      )}
      <ListContent
        query={query}
        rows={payments}
        loading={<DataTableSkeleton label="Loading payments" columns={skeletonColumns} isDense />}
        failure={paymentTexts.fetchFailed}
        empty={<NoPayments filters={filters} counts={counts.data} />}
        foot={
          <MoreRows
            query={query}
            shown={`${formatCount(payments?.length ?? 0, "payment")} shown`}
            label="Load more payments"
            failure={paymentTexts.fetchFailed}
          />
        }
      >
        {(rows) => (
          <DataTable
            label="Payments"
            columns={columns}
            rows={rows}
            rowKey={(payment) => payment.id}
            isStale={query.isPlaceholderData}
            isDense
          />
        )}
      </ListContent>
      <Suspense>
        <DecisionDialog
          decision={decision}
          unseenLimit={unseenLimit}
          update={update}
          onClose={() => setDecision(null)}
        />
        <ReceiptDialog
          walk={walk}
          total={counts.data && countOf(counts.data, filters.status)}
          canProcess={canProcess}
          unseenLimit={unseenLimit}
          update={update}
          onChangeHolder={setPassing}
        />
      </Suspense>
      {/* Its own, as the receipt would be hidden while it is fetched, and the keyboard lose its place. */}
      <Suspense>{passing && <ChangeHolder paymentId={passing.id} onClose={() => setPassing(null)} />}</Suspense>
    </>
  );
}

/** Counts each status, as fresh as the list. A receipt that somebody sends meanwhile is counted when it comes. */
function useStatusCounts(filters: PaymentsSearch) {
  const utils = trpc.useUtils();
  const { projectId, search, sameReceiptAs } = filterOf(filters);
  const { data, refetch } = trpc.payments.statusCounts.useQuery(
    { projectId, search, sameReceiptAs },
    { placeholderData: keepPreviousData, staleTime: 0, enabled: filters.bank === undefined },
  );
  useLive("notifications", () => void utils.payments.statusCounts.invalidate());
  return {
    data: filters.bank === undefined ? data : undefined,
    refetch: () => void (filters.bank === undefined && refetch()),
  };
}
