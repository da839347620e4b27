import { Button } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { useViewer } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/error-state.tsx";
import { Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { Pagination } from "#client/ui/lists/pagination.tsx";
import { messageTexts } from "#shared/message-texts.ts";
import { projectLimits } from "#shared/project-texts.ts";
import { Arrival, MessageList, MessageListSkeleton } from "./message-list.tsx";
import classes from "./messages.module.css";
import { SendMessage } from "./send-message.tsx";
import { useNewMessages } from "./use-new-messages.ts";

/**
 * What backers and administrators wrote about a project, newest first, five a page, as it comes; and the box to write
 * in for whom the server lets write. The reader's rights come with the messages.
 */
export default function MessageBoard({ projectId }: { projectId: number }) {
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(1);
  const list = useRef<HTMLDivElement>(null);
  const accountId = useViewer()?.id;
  const isAtTop = page === 1 && search === "";
  const hasNew = useNewMessages(projectId, isAtTop);
  const query = trpc.messages.list.useQuery(
    { projectId, search, page },
    // Without the stream a message still comes within a minute.
    { placeholderData: keepPreviousData, staleTime: 0, refetchInterval: isAtTop && 60_000 },
  );
  // Kept while another page is loaded or has failed: the box must not go away under somebody who writes.
  const [sendsAs, setSendsAs] = useState<"Admin" | "Backer" | null>();
  if (query.data && query.data.sendsAs !== sendsAs) setSendsAs(query.data.sendsAs);

  const utils = trpc.useUtils();
  const showTop = () => {
    setSearch("");
    setPage(1);
  };
  const showSent = () => {
    showTop();
    void utils.messages.list.invalidate({ projectId });
  };
  const showPage = (next: number) => {
    setPage(next);
    list.current?.scrollIntoView({ block: "start" });
  };
  return (
    <section className={classes.board} aria-label="Messages">
      <h2 className="visually-hidden">Messages</h2>
      {sendsAs && accountId && (
        <SendMessage projectId={projectId} accountId={accountId} sendsAs={sendsAs} onSent={showSent} />
      )}
      {sendsAs === null && <p className={classes.readOnly}>{messageTexts.readOnly}</p>}
      {sendsAs === undefined && query.isPending && <Skeleton height="10.5rem" radius="var(--mantine-radius-md)" />}
      <div ref={list} className={classes.found}>
        <SearchField
          label="Search messages"
          value={search}
          onChange={(text) => {
            setSearch(text);
            setPage(1);
          }}
        />
        <div className={classes.hasNew} role="status">
          {hasNew && (
            <Button variant="default" size="sm" leftSection={<IconArrowUp size={18} />} onClick={showTop}>
              Show new messages
            </Button>
          )}
        </div>
        {query.data ? (
          <>
            {isAtTop && !query.isPlaceholderData && <Arrival newest={query.data.items[0]} />}
            <MessageList
              messages={query.data.items}
              search={search}
              canSend={query.data.sendsAs !== null}
              isStale={query.isPlaceholderData}
            />
          </>
        ) : query.isPending ? (
          <MessageListSkeleton />
        ) : (
          <ErrorState
            title="The messages could not be loaded."
            text={errorText(query.error)}
            onRetry={() => void query.refetch()}
            isRetrying={query.isRefetching}
          />
        )}
        {query.data && (
          <Pagination
            label="Messages"
            page={page}
            pageCount={Math.ceil(query.data.total / projectLimits.contentPageSize)}
            onChange={showPage}
          />
        )}
      </div>
    </section>
  );
}
