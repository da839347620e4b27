import { Button } from "@mantine/core";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import type { Column } from "#client/ui/lists/data-table.tsx";
import { formatDate, formatTime } from "#shared/dates.ts";
import classes from "./users.module.css";

export type RegularUser = RouterOutputs["users"]["list"]["items"][number];

export function UserStatus({ isBlocked }: { isBlocked: boolean }) {
  return isBlocked ? (
    <StatusBadge tone="negative">Blocked</StatusBadge>
  ) : (
    <StatusBadge tone="positive">Active</StatusBadge>
  );
}

export function LastActivity({ at }: { at: Date | null }) {
  if (!at) return <span className={classes.dimmed}>Never signed in</span>;
  return (
    <time dateTime={at.toISOString()}>
      {formatDate(at)} <span className={classes.dimmed}>{formatTime(at)}</span>
    </time>
  );
}

/** The questions about a person of the table. */
export type UserQuestion = "block" | "end-sessions";

export function userColumns(onAsk: (question: UserQuestion, user: RegularUser) => void): Column<RegularUser>[] {
  return [
    { header: "User", inCard: "head", render: ({ fullName }) => <span className={classes.name}>{fullName}</span> },
    { header: "Email", render: ({ email }) => email },
    { header: "Status", width: "8rem", render: (user) => <UserStatus {...user} /> },
    {
      header: "Created",
      width: "8rem",
      render: ({ createdAt }) => <time dateTime={createdAt.toISOString()}>{formatDate(createdAt)}</time>,
    },
    { header: "Last Activity", width: "9rem", render: ({ lastActivityAt }) => <LastActivity at={lastActivityAt} /> },
    {
      header: "Actions",
      width: "24rem",
      inCard: "wide",
      render: (user) => (
        <span className={classes.actions}>
          <LinkButton
            variant="default"
            size="sm"
            to="/admin/user-projects/$userId"
            params={{ userId: user.id }}
            preload={false}
            aria-label={`Backed Projects of ${user.fullName}`}
          >
            Backed Projects
          </LinkButton>
          {!user.isBlocked && (
            <Button
              variant="default"
              size="sm"
              aria-label={`Sign Out ${user.fullName} everywhere`}
              onClick={() => onAsk("end-sessions", user)}
            >
              Sign Out
            </Button>
          )}
          <Button
            variant="default"
            size="sm"
            className={user.isBlocked ? undefined : classes.block}
            aria-label={`${user.isBlocked ? "Unblock" : "Block"} ${user.fullName}`}
            onClick={() => onAsk("block", user)}
          >
            {user.isBlocked ? "Unblock" : "Block"}
          </Button>
        </span>
      ),
    },
  ];
}
