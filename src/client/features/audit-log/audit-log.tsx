import "#client/ui/mantine/fields.css";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { formatNumber } from "#client/lib/format.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ExportMenu } from "#client/shared-parts/export-menu.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent, ListSection, RefreshButton } from "#client/ui/lists/list-page.tsx";
import { Pagination } from "#client/ui/lists/pagination.tsx";
import { auditPageSizes, defaultAuditPageSize } from "#shared/audit-log/paging.ts";
import { auditActionLabel, auditTexts } from "#shared/audit-log/texts.ts";
import { auditColumns } from "./audit-columns.tsx";
import classes from "./audit-log.module.css";
import type { AuditSearch } from "./audit-search.ts";

type AuditLogProps = {
  search: AuditSearch;
  /** Undefined takes a filter away. */
  onChange: (changed: AuditSearch) => void;
};

/** The administrators' acts, newest first; filtered, paged and exported by the server. */
export function AuditLog({ search, onChange }: AuditLogProps) {
  const utils = trpc.useUtils();
  const { from, to, page = 1, size = defaultAuditPageSize } = search;
  const isReversed = from !== undefined && to !== undefined && from > to;
  const query = trpc.auditLog.list.useQuery(
    { ...filterOf(search), page, pageSize: size },
    { placeholderData: keepPreviousData, staleTime: 0, enabled: !isReversed },
  );
  return (
    <ListSection
      title="Audit logs"
      actions={
        <div className={classes.buttons}>
          <RefreshButton query={query} />
          <ExportMenu
            tables={[{ name: "audit-logs", label: "Audit logs", filter: filterOf(search) }]}
            // It is an entry itself.
            onSettled={() => void utils.auditLog.invalidate()}
          />
        </div>
      }
    >
      <AuditFilters search={search} onChange={onChange} />
      {isReversed ? (
        <p className={classes.fault} role="alert">
          {auditTexts.datesReversed}
        </p>
      ) : (
        <ListContent
          query={query}
          rows={query.data?.items}
          isEmpty={query.data?.total === 0}
          loading={<DataTableSkeleton label="Loading audit logs" columns={auditColumns} isDense />}
          failure={auditTexts.fetchFailed}
          empty={<EmptyState title={auditTexts.none} />}
          foot={query.data && <Foot data={query.data} page={page} size={size} onChange={onChange} />}
        >
          {(rows) => (
            <DataTable
              label="Audit logs"
              columns={auditColumns}
              rows={rows}
              rowKey={(entry) => entry.id}
              isStale={query.isPlaceholderData}
              isDense
            />
          )}
        </ListContent>
      )}
    </ListSection>
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

type AuditFiltersProps = { search: AuditSearch; onChange: (changed: AuditSearch) => void };

/** Days are days in Lagos. A change begins again at the first page. */
function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { data } = trpc.auditLog.filters.useQuery(undefined, { staleTime: 0 });
  const change = (changed: AuditSearch) => onChange({ ...changed, page: undefined });
  const isFiltered = Object.keys(filterOf(search)).length > 0;
  const actions = data?.actions ?? (search.action ? [search.action] : []);
  const users = data?.users ?? [];
  return (
    <div className={classes.filters}>
      <TextInput
        type="date"
        label="Start date"
        max={search.to}
        value={search.from ?? ""}
        onChange={({ currentTarget }) => change({ from: currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label="End date"
        min={search.from}
        value={search.to ?? ""}
        onChange={({ currentTarget }) => change({ to: currentTarget.value || undefined })}
      />
      <NativeSelect
        label="Action type"
        value={search.action ?? ""}
        data={[
          { value: "", label: "All actions" },
          ...actions.map((action) => ({ value: action, label: auditActionLabel(action) })),
        ]}
        onChange={({ currentTarget }) => change({ action: currentTarget.value || undefined })}
      />
      <NativeSelect
        label="User"
        value={search.user ?? ""}
        data={[{ value: "", label: "All users" }, ...users.map(({ id, email }) => ({ value: id, label: email }))]}
        onChange={({ currentTarget }) => change({ user: currentTarget.value || undefined })}
      />
      {isFiltered && (
        <Button
          variant="default"
          onClick={() => change({ from: undefined, to: undefined, action: undefined, user: undefined })}
        >
          Clear filters
        </Button>
      )}
    </div>
  );
}

/** Returns the part of the address that the server filters by. */
function filterOf({ from, to, action, user }: AuditSearch) {
  return { ...(from && { from }), ...(to && { to }), ...(action && { action }), ...(user && { userId: user }) };
}
