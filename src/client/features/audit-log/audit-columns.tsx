import { IconLogin, IconPencil, IconPlus, IconPointFilled, IconTrash } from "@tabler/icons-react";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import type { Column } from "#client/ui/lists/data-table.tsx";
import { type AuditTone, auditActionLabel, auditToneOf } from "#shared/audit-texts.ts";
import { formatDate, formatTime } from "#shared/dates.ts";
import { AuditDetails } from "./audit-details.tsx";
import classes from "./audit-log.module.css";

type AuditEntry = RouterOutputs["auditLog"]["list"]["items"][number];

const icons: Record<AuditTone, typeof IconPlus> = {
  added: IconPlus,
  removed: IconTrash,
  changed: IconPencil,
  "signed-in": IconLogin,
  other: IconPointFilled,
};

/** The action in words, with an icon and a colour for its kind. */
function ActionBadge({ action }: { action: string }) {
  const tone = auditToneOf(action);
  const Icon = icons[tone];
  return (
    <span className={classes.badge} data-tone={tone}>
      <Icon size={14} stroke={2.25} aria-hidden="true" />
      {auditActionLabel(action)}
    </span>
  );
}

export const auditColumns: readonly Column<AuditEntry>[] = [
  {
    header: "Time",
    width: "7.5rem",
    render: ({ createdAt }) => (
      <time dateTime={createdAt.toISOString()} className={classes.time}>
        {formatDate(createdAt)} <span className={classes.dimmed}>{formatTime(createdAt)}</span>
      </time>
    ),
  },
  { header: "Action", width: "13rem", inCard: "head", render: ({ actionType }) => <ActionBadge action={actionType} /> },
  {
    header: "User",
    width: "14rem",
    render: ({ userEmail }) => userEmail ?? <span className={classes.dimmed}>System</span>,
  },
  { header: "Details", render: ({ details }) => <AuditDetails details={details} /> },
  {
    header: "IP Address",
    width: "9rem",
    render: ({ ipAddress }) => ipAddress ?? <span className={classes.dimmed}>None</span>,
  },
];
