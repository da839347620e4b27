import { Button } from "@mantine/core";
import { IconRefresh, IconUserPlus } from "@tabler/icons-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { can, useViewer } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { EmptyState, ErrorState } from "#client/ui/feedback/message-state.tsx";
import { DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { adminTexts as texts } from "#shared/admin-texts.ts";
import { adminColumns, type TeamRow } from "./admin-columns.tsx";
import classes from "./team.module.css";
import { type TeamQuestion, TeamQuestionDialog } from "./team-question.tsx";

const InviteDialog = lazy(() => import("./invite-dialog.tsx"));
const RolesDialog = lazy(() => import("./roles-dialog.tsx"));

/** Administrators and open invitations, and what may be done to each. */
export function AdminUsers() {
  const viewer = useViewer();
  const admins = trpc.admins.list.useQuery(undefined, { staleTime: 0 });
  const invites = trpc.team.listInvites.useQuery(undefined, { staleTime: 0 });
  const [question, setQuestion] = useState<TeamQuestion | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [rolesOf, setRolesOf] = useState<string | null>(null);
  // A dialog's code is fetched when it is first wanted, and it stays to close in its own time.
  const [dialogs, setDialogs] = useState({ isInviteWanted: false, areRolesWanted: false });
  const [isInviting, setIsInviting] = useState(false);
  const columns = adminColumns({
    mayEditRoles: can(viewer, "roles:manage"),
    onAsk: (next) => {
      setQuestion(next);
      setIsAsking(true);
    },
    onEditRoles: ({ id }) => {
      setDialogs((shown) => ({ ...shown, areRolesWanted: true }));
      setRolesOf(id);
    },
  });
  const failed = [admins, invites].find(({ isError, data }) => isError && !data);
  const isFetching = admins.isFetching || invites.isFetching;
  const refresh = () => {
    void admins.refetch();
    void invites.refetch();
  };
  let content: ReactNode;
  if (failed) {
    const text = errorText(failed.error);
    content = <ErrorState title={texts.fetchAdminsFailed} text={text} onRetry={refresh} isRetrying={isFetching} />;
  } else if (!admins.data || !invites.data) {
    content = <DataTableSkeleton label="Loading admin users" columns={columns} />;
  } else {
    const rows: TeamRow[] = [
      ...admins.data.map((admin) => ({ kind: "admin" as const, admin })),
      ...invites.data.map((invite) => ({ kind: "invite" as const, invite })),
    ];
    content =
      rows.length === 0 ? (
        <EmptyState title={texts.noAdmins} />
      ) : (
        <DataTable
          label="Admin users"
          columns={columns}
          rows={rows}
          rowKey={(row) => (row.kind === "admin" ? row.admin.id : row.invite.id)}
        />
      );
  }
  return (
    <section aria-labelledby="admins-heading">
      <div className={classes.head}>
        <h2 id="admins-heading">Admin users</h2>
        <div className={classes.buttons}>
          <Button
            variant="default"
            size="sm"
            leftSection={<IconRefresh size={16} aria-hidden="true" />}
            loading={isFetching && admins.data !== undefined}
            onClick={refresh}
          >
            Refresh
          </Button>
          <Button
            size="sm"
            leftSection={<IconUserPlus size={16} aria-hidden="true" />}
            onClick={() => {
              setDialogs((shown) => ({ ...shown, isInviteWanted: true }));
              setIsInviting(true);
            }}
          >
            Add Admin User
          </Button>
        </div>
      </div>
      {content}
      {question && <TeamQuestionDialog question={question} isOpen={isAsking} onClose={() => setIsAsking(false)} />}
      <Suspense>
        {dialogs.isInviteWanted && <InviteDialog isOpen={isInviting} onClose={() => setIsInviting(false)} />}
        {dialogs.areRolesWanted && (
          <RolesDialog admin={admins.data?.find(({ id }) => id === rolesOf) ?? null} onClose={() => setRolesOf(null)} />
        )}
      </Suspense>
    </section>
  );
}
