import { Button, NativeSelect } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { errorText } from "#client/lib/errors.ts";
import { formatNumber } from "#client/lib/format.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/feedback/empty-state.tsx";
import { ErrorState } from "#client/ui/feedback/error-state.tsx";
import { DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { Pagination } from "#client/ui/lists/pagination.tsx";
import { auditPageSizes, auditTexts, defaultAuditPageSize } from "#shared/audit-texts.ts";
import { auditColumns } from "./audit-columns.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import classes from "./audit-log.module.css";
import { type AuditSearch, filterOf } from "./audit-search.ts";
import { ExportButtons } from "./export-buttons.tsx";

type AuditLogProps = {
  search: AuditSearch;
  /** Undefined takes a filter away. */
  onChange: (changed: AuditSearch) => void;
};

/** What administrators did, newest first; filtered, paged and exported by the server. */
export function AuditLog({ search, onChange }: AuditLogProps) {
  const { from, to, page = 1, size = defaultAuditPageSize } = search;
  const isReversed = from !== undefined && to !== undefined && from > to;
  const query = trpc.auditLog.list.useQuery(
    { ...filterOf(search), page, pageSize: size },
    { placeholderData: keepPreviousData, staleTime: 0, enabled: !isReversed },
  );
  let content: ReactNode;
  if (isReversed) {
    content = (
      <p className={classes.fault} role="alert">
        {auditTexts.datesReversed}
      </p>
    );
  } else if (!query.data) {
    content = query.isError ? (
      <ErrorState
        title={auditTexts.fetchFailed}
        text={errorText(query.error)}
        onRetry={() => void query.refetch()}
        isRetrying={query.isRefetching}
      />
    ) : (
      <DataTableSkeleton label="Loading audit logs" columns={auditColumns} />
    );
  } else if (query.data.total === 0 && !query.isPlaceholderData) {
    content = <EmptyState title={auditTexts.none} />;
  } else {
    content = (
      <>
        <DataTable
          label="Audit logs"
          columns={auditColumns}
          rows={query.data.items}
          rowKey={(entry) => entry.id}
          isStale={query.isPlaceholderData}
        />
        {query.isRefetchError && (
          <p className={classes.fault} role="alert">
            {auditTexts.fetchFailed}. The rows above may be out of date.
          </p>
        )}
        <Foot data={query.data} page={page} size={size} onChange={onChange} />
      </>
    );
  }
  return (
    <section aria-labelledby="audit-heading">
      <div className={classes.head}>
        <h2 id="audit-heading">Audit logs</h2>
        <div className={classes.buttons}>
          <Button
            variant="default"
            size="sm"
            leftSection={<IconRefresh size={16} aria-hidden="true" />}
            loading={query.isRefetching && !query.isPlaceholderData}
            onClick={() => void query.refetch()}
          >
            Refresh
          </Button>
          <ExportButtons search={search} />
        </div>
      </div>
      <AuditFilters search={search} onChange={onChange} />
      {content}
    </section>
  );
}

type FootProps = {
  data: RouterOutputs["auditLog"]["list"];
  page: number;
  size: number;
  onChange: (changed: AuditSearch) => void;
};

function Foot({ data: { items, total, isCapped }, page, size, onChange }: FootProps) {
  const first = (page - 1) * size + 1;
  const count = isCapped ? `${formatNumber(total)}+` : formatNumber(total);
  const pageCount = Math.max(1, Math.ceil(total / size));
  return (
    <div className={classes.foot}>
      <p role="status">
        {items.length === 0
          ? `This page is beyond the last of ${count} entries.`
          : `${formatNumber(first)}–${formatNumber(first + items.length - 1)} of ${count} entries`}
        {isCapped && ". Narrow the filters to see older ones, or export them."}
      </p>
      <div className={classes.size}>
        <NativeSelect
          size="sm"
          aria-label="Entries per page"
          value={String(size)}
          data={auditPageSizes.map((value) => ({ value: String(value), label: `${value} per page` }))}
          onChange={({ currentTarget }) =>
            onChange({ size: auditPageSizes.find((value) => String(value) === currentTarget.value), page: undefined })
          }
        />
      </div>
      <Pagination
        label="Audit logs"
        page={Math.min(page, pageCount)}
        pageCount={pageCount}
        onChange={(next) => onChange({ page: next })}
      />
    </div>
  );
}
