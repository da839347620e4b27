import {
  IconKey,
  IconLockOpen,
  IconLogout,
  IconMailForward,
  IconTrash,
  IconUserCheck,
  IconUserCog,
  IconUserMinus,
  IconUserOff,
} from "@tabler/icons-react";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import type { Column } from "#client/ui/lists/data-table.tsx";
import { type RowAction, RowMenu } from "#client/ui/lists/row-menu.tsx";
import { formatDate } from "#shared/dates.ts";
import { grantLabels, roleLabels } from "#shared/people/texts.ts";
import classes from "./team.module.css";
import type { Admin, OpenInvite, TeamQuestion } from "./team-question.tsx";

/** A row of the table: somebody who is an administrator, or who was asked to become one. */
export type TeamRow = { kind: "admin"; admin: Admin } | { kind: "invite"; invite: OpenInvite };

type ColumnsInput = {
  mayEditRoles: boolean;
  onAsk: (question: TeamQuestion) => void;
  onEditRoles: (admin: Admin) => void;
};

const icon = { size: 16, "aria-hidden": true } as const;
const personOf = (row: TeamRow) => (row.kind === "admin" ? row.admin : row.invite);

export function adminColumns(input: ColumnsInput): Column<TeamRow>[] {
  return [
    {
      header: "Name",
      inCard: "head",
      render: (row) => (
        <span className={classes.badges}>
          <span className={classes.name}>{personOf(row).fullName}</span>
          {row.kind === "admin" && row.admin.isSelf && <StatusBadge tone="neutral">You</StatusBadge>}
        </span>
      ),
    },
    { header: "Email", render: (row) => personOf(row).email },
    { header: "Role(s)", width: "10rem", render: (row) => <Roles row={row} /> },
    { header: "Status", width: "10rem", render: (row) => <Status row={row} /> },
    {
      header: "Created",
      width: "8rem",
      render: (row) => (
        <time dateTime={personOf(row).createdAt.toISOString()}>{formatDate(personOf(row).createdAt)}</time>
      ),
    },
    {
      header: "Actions",
      width: "8.5rem",
      inCard: "wide",
      render: (row) => {
        const actions = row.kind === "admin" ? adminActions(row.admin, input) : inviteActions(row.invite, input);
        if (actions.length === 0) return <span className={classes.dimmed}>None</span>;
        return <RowMenu subject={personOf(row).fullName} actions={actions} isBusy={false} />;
      },
    },
  ];
}

function Roles({ row }: { row: TeamRow }) {
  const labels =
    row.kind === "admin"
      ? [...row.admin.roles.map((role) => roleLabels[role]), ...row.admin.grants.map((grant) => grantLabels[grant])]
      : [roleLabels[row.invite.role]];
  return labels.length > 0 ? labels.join(", ") : <span className={classes.dimmed}>No role</span>;
}

const statuses = {
  active: { tone: "positive", label: "Active" },
  deactivated: { tone: "neutral", label: "Deactivated" },
  blocked: { tone: "negative", label: "Blocked" },
} as const;

function Status({ row }: { row: TeamRow }) {
  if (row.kind === "admin") {
    const { tone, label } = statuses[row.admin.status];
    return <StatusBadge tone={tone}>{label}</StatusBadge>;
  }
  const { isExpired, status } = row.invite;
  return (
    <span className={classes.badges}>
      <StatusBadge tone="waiting">Invited</StatusBadge>
      {isExpired ? (
        <span className={classes.dimmed}>Link expired</span>
      ) : (
        status === "re-invited" && <span className={classes.dimmed}>Sent again</span>
      )}
    </span>
  );
}

function adminActions(admin: Admin, { mayEditRoles, onAsk, onEditRoles }: ColumnsInput): RowAction[] {
  const ask = (kind: Extract<TeamQuestion, { admin: Admin }>["kind"]) => () => onAsk({ kind, admin });
  const actions: RowAction[] = [];
  if (admin.status === "active" && mayEditRoles)
    actions.push({ label: "Edit Roles", icon: <IconUserCog {...icon} />, onChoose: () => onEditRoles(admin) });
  if (admin.isSelf) return actions;
  if (admin.status !== "blocked")
    actions.push({ label: "Sign Out Everywhere", icon: <IconLogout {...icon} />, onChoose: ask("end-sessions") });
  if (admin.status === "active") {
    actions.push({ label: "Reset Password", icon: <IconKey {...icon} />, onChoose: ask("reset") });
    actions.push({ label: "Deactivate", icon: <IconUserOff {...icon} />, onChoose: ask("deactivate") });
  }
  if (admin.status === "deactivated")
    actions.push({ label: "Reactivate", icon: <IconUserCheck {...icon} />, onChoose: ask("reactivate") });
  if (admin.status === "blocked")
    actions.push({ label: "Unblock", icon: <IconLockOpen {...icon} />, onChoose: ask("unblock") });
  actions.push({
    label: "Remove Admin",
    icon: <IconUserMinus {...icon} />,
    onChoose: ask("remove"),
    isDangerous: true,
  });
  return actions;
}

function inviteActions(invite: OpenInvite, { onAsk }: ColumnsInput): RowAction[] {
  return [
    {
      label: "Resend Invitation",
      icon: <IconMailForward {...icon} />,
      onChoose: () => onAsk({ kind: "resend", invite }),
    },
    {
      label: "Delete Invite",
      icon: <IconTrash {...icon} />,
      onChoose: () => onAsk({ kind: "delete-invite", invite }),
      isDangerous: true,
    },
  ];
}
