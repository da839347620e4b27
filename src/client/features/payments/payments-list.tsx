import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { formatCount } from "#client/lib/format.ts";
import { trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { FilterLink, FilterNav } from "#client/ui/layout/filter-nav.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ExportMenu } from "#client/ui/lists/export-menu.tsx";
import { ListContent, MoreRows, RefreshButton } from "#client/ui/lists/list-page.tsx";
import { bankStateLabels, bankStates, paymentStatuses, paymentStatusLabels } from "#shared/payment-statuses.ts";
import { paymentTexts } from "#shared/payments-texts.ts";
import type { Decision } from "./decision-form.tsx";
import { paymentColumns } from "./payment-columns.tsx";
import classes from "./payments.module.css";
import type { AdminPayment, PaymentsSearch } from "./payments-search.ts";
import { useSetStatus } from "./use-set-status.ts";

const skeletonColumns = paymentColumns({
  canProcess: false,
  isLocked: true,
  onChoose: () => undefined,
  onView: () => undefined,
});

/** All payments, newest first, or those that the filters leave; a page at a time. */
export function PaymentsList({ filters }: { filters: PaymentsSearch }) {
  const { status, project, bank, search, sameReceipt } = filters;
  const navigate = useNavigate({ from: "/admin/payments" });
  // Somebody decides about money by it: never an answer of minutes ago.
  const query = trpc.payments.list.useInfiniteQuery(
    { status, projectId: project, bank, search, sameReceiptAs: sameReceipt },
    {
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: keepPreviousData,
      staleTime: 0,
    },
  );
  const payments = query.data?.pages.flatMap((page) => page.items);
  const canProcess = query.data?.pages[0]?.canProcess ?? false;
  const isBankKnown = query.data?.pages[0]?.isBankKnown ?? false;
  return (
    <>
      <PageHead
        title="Payments"
        aside={
          <div className={classes.buttons}>
            <TextLink to="/admin/papers">Papers</TextLink>
            <ExportMenu
              tables={[
                {
                  name: "payments",
                  label: "Payments",
                  filter: { status, projectId: project, bank, search, sameReceiptAs: sameReceipt },
                },
              ]}
            />
            <RefreshButton query={query} label="Refresh Data" />
          </div>
        }
      />
      <div className={classes.filters}>
        <StatusFilter filters={filters} />
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
        <ProjectFilter projectId={project} />
      </div>
      {sameReceipt !== undefined && (
        <div className={classes.shared}>
          <Notice tone="caution" title={paymentTexts.sharedFile}>
            <p>
              The same file was sent for each of them. <TextLink to="/admin/payments">Show all payments</TextLink>
            </p>
          </Notice>
        </div>
      )}
      <ListContent
        query={query}
        rows={payments}
        loading={<DataTableSkeleton label="Loading payments" columns={skeletonColumns} />}
        failure={paymentTexts.fetchFailed}
        empty={<NoPayments filters={filters} />}
        foot={
          <MoreRows
            query={query}
            shown={`${formatCount(payments?.length ?? 0, "payment")} shown`}
            label="Load more payments"
            failure={paymentTexts.fetchFailed}
          />
        }
      >
        {(rows) => <PaymentsTable payments={rows} canProcess={canProcess} isStale={query.isPlaceholderData} />}
      </ListContent>
    </>
  );
}

function StatusFilter({ filters }: { filters: PaymentsSearch }) {
  return (
    <FilterNav label="Filter by status">
      {[undefined, ...paymentStatuses].map((one) => (
        <FilterLink
          key={one ?? "all"}
          to="/admin/payments"
          search={{ ...filters, status: one }}
          replace
          resetScroll={false}
          isCurrent={one === filters.status}
        >
          {one ? paymentStatusLabels[one] : "All"}
        </FilterLink>
      ))}
    </FilterNav>
  );
}

function BankFilter({ filters }: { filters: PaymentsSearch }) {
  return (
    <FilterNav label="Filter by what the bank shows">
      {[undefined, ...bankStates].map((one) => (
        <FilterLink
          key={one ?? "all"}
          to="/admin/payments"
          search={{ ...filters, bank: one }}
          replace
          resetScroll={false}
          isCurrent={one === filters.bank}
        >
          {one ? bankStateLabels[one] : "Any"}
        </FilterLink>
      ))}
    </FilterNav>
  );
}

function NoPayments({ filters }: { filters: PaymentsSearch }) {
  const { status, project, bank, search, sameReceipt } = filters;
  if (search) {
    return (
      <EmptyState
        picture="/art/empty-payments.svg"
        title={`No payments match "${search}"`}
        text={status || project || bank || sameReceipt ? "Other filters are set as well." : undefined}
        action={
          <LinkButton
            to="/admin/payments"
            search={{ ...filters, search: undefined }}
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
  return status || project || bank || sameReceipt ? (
    <EmptyState
      picture="/art/empty-payments.svg"
      title={status ? `No ${status} payments` : "No payments found"}
      text={project ? "There are none for this project." : undefined}
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

const DecisionDialog = lazy(() => import("./decision-form.tsx"));
const ReceiptDialog = lazy(() => import("./receipt-dialog.tsx"));

type PaymentsTableProps = { payments: readonly AdminPayment[]; canProcess: boolean; isStale: boolean };

/** The payments, and the two dialogs that belong to a row. */
function PaymentsTable({ payments, canProcess, isStale }: PaymentsTableProps) {
  const update = useSetStatus();
  const [decision, setDecision] = useState<Decision | null>(null);
  // As it was when the dialog opened: a decision is about what was seen.
  const [viewed, setViewed] = useState<AdminPayment | null>(null);
  const columns = paymentColumns({
    canProcess,
    isLocked: update.isPending,
    onChoose: (payment, status) => setDecision({ payment, status, receiptSha256: payment.receipt?.sha256 ?? null }),
    onView: setViewed,
  });
  return (
    <>
      <DataTable
        label="Payments"
        columns={columns}
        rows={payments}
        rowKey={(payment) => payment.id}
        isStale={isStale}
      />
      <Suspense>
        <DecisionDialog decision={decision} update={update} onClose={() => setDecision(null)} />
        <ReceiptDialog payment={viewed} canProcess={canProcess} update={update} onClose={() => setViewed(null)} />
      </Suspense>
    </>
  );
}

const SEARCH_DELAY_MS = 300;
const SEARCH_LENGTH = 100;
/** In the list, so that it is reached by the keys that reach the projects. */
const everything = { value: "all", label: "All projects" };

/** Shows one project's payments. The server searches the titles: there may be thousands. */
function ProjectFilter({ projectId }: { projectId: number | undefined }) {
  const navigate = useNavigate({ from: "/admin/payments" });
  const [typed, setTyped] = useState("");
  const [isSearching, setIsSearching] = useState(false);
  // Once one is chosen its title stands in the field: that is no search.
  const [search] = useDebouncedValue(isSearching ? typed.trim() : "", SEARCH_DELAY_MS);
  const query = trpc.payments.projects.useQuery(
    { search, selectedId: projectId },
    { placeholderData: keepPreviousData, staleTime: 0 },
  );
  const selected = projectId === undefined ? null : String(projectId);
  const found = query.data?.items.map(({ id, title }) => ({ value: String(id), label: title })) ?? [];
  // The chosen one comes whatever was searched: it names itself in the field.
  const isFound = ({ value, label }: { value: string; label: string }) =>
    (value === everything.value ? search === "" : value !== selected) ||
    label.toLowerCase().includes(search.toLowerCase());
  return (
    <Select
      className={classes.project}
      aria-label="Filter by project"
      placeholder={everything.label}
      searchable
      maxLength={SEARCH_LENGTH}
      data={selected === null ? found : [everything, ...found]}
      filter={({ options }) => options.filter((option) => !("value" in option) || isFound(option))}
      nothingFoundMessage={query.isError ? paymentTexts.projectsFailed : query.data && "No project found"}
      value={found.some(({ value }) => value === selected) ? selected : null}
      onChange={(value) => {
        setIsSearching(false);
        const project = value && value !== everything.value ? Number(value) : undefined;
        void navigate({
          search: ({ status, bank, search }) => ({ status, bank, search, project }),
          replace: true,
          resetScroll: false,
        });
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      onInput={() => setIsSearching(true)}
      onBlur={() => setIsSearching(false)}
    />
  );
}
