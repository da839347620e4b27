import { Button } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { can, useViewer } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent, ListSection, RefreshButton } from "#client/ui/lists/list-page.tsx";
import { adminTexts as texts } from "#shared/people/texts.ts";
import { adminColumns, type TeamRow } from "./admin-columns.tsx";
import classes from "./team.module.css";
import { type TeamQuestion, TeamQuestionDialog } from "./team-question.tsx";

const InviteDialog = lazyDialog(() => import("./invite-dialog.tsx"));
const RolesDialog = lazyDialog(() => import("./roles-dialog.tsx"));

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
  const rows: TeamRow[] | undefined = admins.data &&
    invites.data && [
      ...admins.data.map((admin) => ({ kind: "admin" as const, admin })),
      ...invites.data.map((invite) => ({ kind: "invite" as const, invite })),
    ];
  const both = {
    error: failed?.error,
    isError: failed !== undefined,
    isRefetchError: false,
    isRefetching: isFetching && (failed !== undefined || admins.data !== undefined),
    isPlaceholderData: false,
    refetch: refresh,
  };
  return (
    <ListSection
      title="Admin users"
      actions={
        <div className={classes.buttons}>
          <RefreshButton query={both} />
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
      }
    >
      <ListContent
        query={both}
        rows={rows}
        loading={<DataTableSkeleton label="Loading admin users" columns={columns} />}
        failure={texts.fetchAdminsFailed}
        empty={<EmptyState title={texts.noAdmins} />}
      >
        {(shown) => (
          <DataTable
            label="Admin users"
            columns={columns}
            rows={shown}
            rowKey={(row) => (row.kind === "admin" ? row.admin.id : row.invite.id)}
          />
        )}
      </ListContent>
      {question && <TeamQuestionDialog question={question} isOpen={isAsking} onClose={() => setIsAsking(false)} />}
      <Suspense>
        {dialogs.isInviteWanted && <InviteDialog isOpen={isInviting} onClose={() => setIsInviting(false)} />}
        {dialogs.areRolesWanted && (
          <RolesDialog admin={admins.data?.find(({ id }) => id === rolesOf) ?? null} onClose={() => setRolesOf(null)} />
        )}
      </Suspense>
    </ListSection>
  );
}
