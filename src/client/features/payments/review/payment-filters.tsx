import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { formatNumber } from "#client/lib/format.ts";
import { trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { FilterLink, FilterNav } from "#client/ui/layout/filter-nav.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import {
  bankStateLabels,
  bankStates,
  type PaymentStatus,
  paymentStatuses,
  paymentStatusLabels,
} from "#shared/payments/statuses.ts";
import { paymentLimits, paymentTexts } from "#shared/payments/texts.ts";
import classes from "./payments.module.css";
import type { PaymentsSearch } from "./payments-search.ts";

/** Returns the part of the address that the server filters by. */
export const filterOf = ({ status = "pending", project, bank, search, sameReceipt }: PaymentsSearch) => ({
  status: status === "all" || status === "late" ? undefined : status,
  late: status === "late" || undefined,
  projectId: project,
  bank,
  search,
  sameReceiptAs: sameReceipt,
});

/** How many payments of each status the other filters leave, and how many of all are late. */
export type StatusCounts = Record<PaymentStatus | "late", number>;

export const countOf = (counts: StatusCounts, status: PaymentsSearch["status"] = "pending"): number =>
  status === "all" ? counts.pending + counts.approved + counts.rejected : counts[status];

type StatusFilterProps = { filters: PaymentsSearch; counts: StatusCounts | undefined };

const filterLabels = { ...paymentStatusLabels, all: "All", late: "Late" };

export function StatusFilter({ filters, counts }: StatusFilterProps) {
  const { status = "pending" } = filters;
  return (
    <FilterNav label="Filter by status">
      {([...paymentStatuses, "all", "late"] as const).map((one) => (
        <FilterLink
          key={one}
          to="/admin/payments"
          search={{ ...filters, status: one }}
          replace
          resetScroll={false}
          isCurrent={one === status}
          count={counts && formatNumber(countOf(counts, one))}
        >
          {filterLabels[one]}
        </FilterLink>
      ))}
    </FilterNav>
  );
}

export function BankFilter({ filters }: { filters: PaymentsSearch }) {
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

type NoPaymentsProps = { filters: PaymentsSearch; counts: StatusCounts | undefined };

/** Says why the list is empty, with the way to what it leaves out. */
export function NoPayments({ filters, counts }: NoPaymentsProps) {
  const { status = "pending", project, bank, search, sameReceipt } = filters;
  const others = counts ? countOf(counts, "all") : 0;
  const isNarrowed = project !== undefined || bank !== undefined || sameReceipt !== undefined;
  const picture = "/art/empty-payments.svg";
  if (search) {
    return (
      <EmptyState
        picture={picture}
        title={status === "all" ? `No payments match "${search}"` : `No ${status} payments match "${search}"`}
        text={isNarrowed ? "Other filters are set as well." : undefined}
        action={
          others > 0 ? (
            <LinkButton
              to="/admin/payments"
              search={{ ...filters, status: "all" }}
              replace
              resetScroll={false}
              variant="default"
            >
              Search all payments
            </LinkButton>
          ) : (
            <LinkButton
              to="/admin/payments"
              search={{ ...filters, search: undefined }}
              replace
              resetScroll={false}
              variant="default"
            >
              Clear the search
            </LinkButton>
          )
        }
      />
    );
  }
  if (status === "late" && !isNarrowed) {
    return (
      <EmptyState
        picture="/art/success.svg"
        title="Nothing is late"
        text={`A payment is listed here once the day is over by which its backer was promised an answer, or ${paymentLimits.unseenLateDays} days after an approval that the bank doesn't show.`}
      />
    );
  }
  if (status === "all" && !isNarrowed) {
    return (
      <EmptyState
        picture={picture}
        title="No payments yet"
        text="A payment appears here as soon as a backer has sent a receipt."
        action={
          <LinkButton to="/admin/dashboard" variant="default">
            Back to Dashboard
          </LinkButton>
        }
      />
    );
  }
  return (
    <EmptyState
      picture={picture}
      title={isNarrowed ? "No payments match these filters" : `No ${status} payments`}
      action={
        <LinkButton to="/admin/payments" search={{ status: "all" }} variant="default">
          Show all payments
        </LinkButton>
      }
    />
  );
}

const SEARCH_DELAY_MS = 300;
const SEARCH_LENGTH = 100;
/** In the list, so that it is reached by the keys that reach the projects. */
const everything = { value: "all", label: "All projects" };

/** Shows one project's payments. The server searches the titles: there may be thousands. */
export function ProjectFilter({ projectId }: { projectId: number | undefined }) {
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
