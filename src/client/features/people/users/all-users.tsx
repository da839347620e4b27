import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { formatCount } from "#client/lib/format.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent, ListSection, MoreRows, RefreshButton } from "#client/ui/lists/list-page.tsx";
import { adminTexts as texts } from "#shared/people/texts.ts";
import { type RegularUser, type UserQuestion, userColumns } from "./user-columns.tsx";
import classes from "./users.module.css";

type AllUsersProps = { search: string; onSearch: (search: string) => void };

/** Everybody but administrators, newest first; searched by the server, a page at a time. */
export function AllUsers({ search, onSearch }: AllUsersProps) {
  const query = trpc.users.list.useInfiniteQuery(
    { search },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  );
  const [asked, setAsked] = useState<{ question: UserQuestion; user: RegularUser } | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const columns = userColumns((question, user) => {
    setAsked({ question, user });
    setIsAsking(true);
  });
  const users = query.data?.pages.flatMap((page) => page.items);
  return (
    <ListSection title="All users" actions={<RefreshButton query={query} />}>
      <div className={classes.search}>
        <SearchField label="Search users" placeholder="Search by name or email..." value={search} onChange={onSearch} />
      </div>
      <ListContent
        query={query}
        rows={users}
        loading={<DataTableSkeleton label="Loading users" columns={columns} />}
        failure={texts.loadUsersFailed}
        empty={<EmptyState title={search ? texts.noUsersFound : texts.noUsers} />}
        foot={
          <MoreRows
            query={query}
            shown={`${formatCount(users?.length ?? 0, "user")} shown`}
            label="Load more users"
            failure={texts.fetchUsersFailed}
          />
        }
      >
        {(rows) => (
          <DataTable
            label="All users"
            columns={columns}
            rows={rows}
            rowKey={(user) => user.id}
            isStale={query.isPlaceholderData}
          />
        )}
      </ListContent>
      {asked?.question === "block" && (
        <BlockDialog user={asked.user} isOpen={isAsking} onClose={() => setIsAsking(false)} />
      )}
      {asked?.question === "end-sessions" && (
        <SignOutDialog user={asked.user} isOpen={isAsking} onClose={() => setIsAsking(false)} />
      )}
    </ListSection>
  );
}

type UserDialogProps = { user: RegularUser; isOpen: boolean; onClose: () => void };

/** The words of success and failure; the table looks again. */
function useOutcome({ user, onClose }: UserDialogProps) {
  const utils = trpc.useUtils();
  return (done: string, failed: string) => ({
    onSuccess: () => {
      toast.success(done, user.email);
      onClose();
    },
    onError: (error: unknown) => toast.error(failed, errorReason(error) === "internal" ? undefined : errorText(error)),
    onSettled: () => utils.users.list.invalidate(),
  });
}

function SignOutDialog(props: UserDialogProps) {
  const { id: userId, fullName, email } = props.user;
  const end = trpc.users.endSessions.useMutation(useOutcome(props)(texts.sessionsEnded, texts.endSessionsFailed));
  return (
    <LazyConfirmDialog
      opened={props.isOpen}
      title="Sign Out Everywhere"
      confirmLabel="Sign Out"
      isPending={end.isPending}
      onConfirm={() => end.mutate({ userId })}
      onClose={props.onClose}
    >
      <p className={classes.question}>
        Sign {fullName} ({email}) out on every device?
      </p>
      <ul className={classes.consequences}>
        <li>Their open pages ask them to sign in again; what they typed and didn't save may be lost.</li>
        <li>The account stays as it is, and they can sign in again at once.</li>
      </ul>
    </LazyConfirmDialog>
  );
}

function BlockDialog(props: UserDialogProps) {
  const { user, isOpen, onClose } = props;
  const how = useOutcome(props);
  const block = trpc.users.block.useMutation(how(texts.blocked, texts.blockFailed));
  const unblock = trpc.users.unblock.useMutation(how(texts.unblocked, texts.unblockFailed));
  const { id: userId, fullName, email, isBlocked } = user;
  return (
    <LazyConfirmDialog
      opened={isOpen}
      title={isBlocked ? "Unblock User" : "Block User"}
      confirmLabel={isBlocked ? "Unblock" : "Block"}
      isDangerous={!isBlocked}
      isPending={block.isPending || unblock.isPending}
      onConfirm={() => (isBlocked ? unblock : block).mutate({ userId })}
      onClose={onClose}
    >
      <p className={classes.question}>
        {isBlocked ? "Unblock" : "Block"} {fullName} ({email})?
      </p>
      <ul className={classes.consequences}>
        {isBlocked ? (
          <li>This person can sign in again.</li>
        ) : (
          <>
            <li>This person is signed out everywhere at once and can't sign in any more.</li>
            <li>Backings and payments stay as they are.</li>
          </>
        )}
      </ul>
    </LazyConfirmDialog>
  );
}
