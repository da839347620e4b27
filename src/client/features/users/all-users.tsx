import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { EmptyState, ErrorState } from "#client/ui/feedback/message-state.tsx";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { adminTexts as texts } from "#shared/admin-texts.ts";
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
    <section aria-labelledby="users-heading">
      <div className={classes.head}>
        <h2 id="users-heading">All users</h2>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconRefresh size={16} aria-hidden="true" />}
          loading={query.isRefetching && !query.isPlaceholderData}
          onClick={() => void query.refetch()}
        >
          Refresh
        </Button>
      </div>
      <div className={classes.search}>
        <SearchField label="Search users" placeholder="Search by name or email..." value={search} onChange={onSearch} />
      </div>
      {users ? (
        <>
          {users.length > 0 ? (
            <DataTable
              label="All users"
              columns={columns}
              rows={users}
              rowKey={(user) => user.id}
              isStale={query.isPlaceholderData}
            />
          ) : (
            <EmptyState title={search ? texts.noUsersFound : texts.noUsers} />
          )}
          {query.isRefetchError && (
            <p className={classes.stale} role="alert">
              {texts.loadUsersFailed} The rows above may be out of date.
            </p>
          )}
          <div className={classes.more}>
            {users.length > 0 && (
              <p role="status">{users.length === 1 ? "1 user shown" : `${users.length} users shown`}</p>
            )}
            {query.isFetchNextPageError && <p role="alert">{texts.fetchUsersFailed}</p>}
            {query.hasNextPage && (
              <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
                Load more users
              </Button>
            )}
          </div>
        </>
      ) : query.isError ? (
        <ErrorState
          title={texts.loadUsersFailed}
          text={errorText(query.error)}
          onRetry={() => void query.refetch()}
          isRetrying={query.isRefetching}
        />
      ) : (
        <DataTableSkeleton label="Loading users" columns={columns} />
      )}
      {asked?.question === "block" && (
        <BlockDialog user={asked.user} isOpen={isAsking} onClose={() => setIsAsking(false)} />
      )}
      {asked?.question === "end-sessions" && (
        <SignOutDialog user={asked.user} isOpen={isAsking} onClose={() => setIsAsking(false)} />
      )}
    </section>
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
