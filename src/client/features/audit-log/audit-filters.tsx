import { Button, NativeSelect, TextInput } from "@mantine/core";
import { trpc } from "#client/lib/trpc.ts";
import { auditActionLabel } from "#shared/audit-texts.ts";
import classes from "./audit-log.module.css";
import { type AuditSearch, filterOf } from "./audit-search.ts";

type AuditFiltersProps = { search: AuditSearch; onChange: (changed: AuditSearch) => void };

/** Days are days in Lagos. A change begins again at the first page. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
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
