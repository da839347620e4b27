import { IconCheck, IconMinus } from "@tabler/icons-react";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { type Column, DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { grantLabels, grantSummaries, roleLabels, roleSummaries, adminTexts as texts } from "#shared/people/texts.ts";
import { grants, type Role, roles } from "#shared/permissions.ts";
import classes from "./team.module.css";

type Admin = RouterOutputs["admins"]["roles"][number];

const shown = [...roles].reverse();

const columns: readonly Column<Admin>[] = [
  {
    header: "Admin user",
    inCard: "head",
    render: ({ fullName, email, roles: held, grants: also, status }) => (
      <span className={classes.person} data-owner={held.includes("owner") || undefined}>
        <span className={classes.matrixName}>
          {fullName}
          {status !== "active" && (
            <StatusBadge tone="neutral">{status === "blocked" ? "Blocked" : "Deactivated"}</StatusBadge>
          )}
        </span>
        <span className={classes.email}>{email}</span>
        {also.length > 0 && (
          <span className={classes.also}>
            Also {also.map((grant) => grantLabels[grant].toLowerCase()).join(" and ")}
          </span>
        )}
      </span>
    ),
  },
  ...shown.map((role) => ({
    header: roleLabels[role],
    width: "10rem",
    render: ({ roles: held }: Admin) => <Held role={role} isHeld={held.includes(role)} />,
  })),
];

function Held({ role, isHeld }: { role: Role; isHeld: boolean }) {
  if (!isHeld) {
    return (
      <span className={classes.none}>
        <IconMinus size={16} aria-hidden="true" />
        <span className="visually-hidden">No</span>
      </span>
    );
  }
  return (
    <span className={classes.held} data-role={role}>
      <IconCheck size={16} stroke={2.5} aria-hidden="true" />
      {roleLabels[role]}
    </span>
  );
}

/** Who holds which role and grant, and what each is for. Changed in Admin Users. */
export function RoleMatrix() {
  const query = trpc.admins.roles.useQuery(undefined, { staleTime: 0 });
  return (
    <section aria-labelledby="roles-heading">
      <h2 id="roles-heading" className={classes.heading}>
        Roles
      </h2>
      <dl className={classes.legend}>
        {shown.map((role) => (
          <div key={role}>
            <dt>{roleLabels[role]}</dt>
            <dd>{roleSummaries[role]}</dd>
          </div>
        ))}
        {grants.map((grant) => (
          <div key={grant}>
            <dt>{grantLabels[grant]}</dt>
            <dd>{grantSummaries[grant]}</dd>
          </div>
        ))}
      </dl>
      {query.data ? (
        query.data.length > 0 ? (
          <DataTable label="Roles of admin users" columns={columns} rows={query.data} rowKey={(admin) => admin.id} />
        ) : (
          <EmptyState title={texts.noAdmins} />
        )
      ) : query.isError ? (
        <LoadFailed query={query} title={texts.rolesFailed} />
      ) : (
        <DataTableSkeleton label="Loading roles" columns={columns} />
      )}
    </section>
  );
}
