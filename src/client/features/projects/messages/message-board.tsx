import { Button } from "@mantine/core";
import { IconArrowUp, IconLeaf, IconLock, IconUser } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { useLive } from "#client/lib/live.ts";
import { useViewer } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { Pagination } from "#client/ui/lists/pagination.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { messageTexts } from "#shared/projects/messages-texts.ts";
import { projectLimits } from "#shared/projects/texts.ts";
import classes from "./messages.module.css";
import { type Answered, addressDraftTo, SendMessage } from "./send-message.tsx";

/**
 * The messages of backers and administrators about a project, newest first, five a page, as they come; and the box to
 * write in, if the server lets the reader write. The reader's rights come with the messages.
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

  const box = useRef<HTMLDivElement>(null);
  const answer = (message: Answered) => {
    if (accountId) addressDraftTo({ accountId, projectId }, message);
    box.current?.scrollIntoView({ block: "start" });
    box.current?.querySelector("textarea")?.focus({ preventScroll: true });
  };
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
        <div ref={box} className={classes.box}>
          <SendMessage projectId={projectId} accountId={accountId} sendsAs={sendsAs} onSent={showSent} />
        </div>
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
              onAnswer={query.data.sendsAs === "Admin" ? answer : null}
              isStale={query.isPlaceholderData}
            />
          </>
        ) : query.isPending ? (
          <MessageListSkeleton />
        ) : (
          <LoadFailed query={query} title="The messages could not be loaded." />
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

type MessageListProps = {
  messages: Message[];
  search: string;
  canSend: boolean;
  /** Answers a backer's message, to its writer only; null for whoever can't. */
  onAnswer: ((message: Answered) => void) | null;
  /** Another page or search is on its way. */
  isStale: boolean;
};

/** One page of messages, or why there are none. */
function MessageList({ messages, search, canSend, onAnswer, isStale }: MessageListProps) {
  if (messages.length > 0) {
    return (
      <div className={classes.list} aria-busy={isStale}>
        {messages.map((message) => (
          <MessageItem key={message.id} message={message} onAnswer={onAnswer} />
        ))}
      </div>
    );
  }
  if (search) return <EmptyState title="No messages found" text={`No message has “${search}” in its text.`} />;
  return (
    <EmptyState
      picture="/art/empty-messages.svg"
      title="No messages yet"
      text={canSend ? "Write the first one: a question, a wish, a thank-you." : "What is written will appear here."}
    />
  );
}

function MessageListSkeleton() {
  return (
    <Loading label="Loading messages">
      <div className={classes.list}>
        {[1, 2, 3].map((key) => (
          <div key={key} className={classes.message}>
            <Skeleton width="12rem" height="1.5rem" />
            <SkeletonText lines={2} />
          </div>
        ))}
      </div>
    </Loading>
  );
}

const spokenLength = 100;

/** Tells readers of what appeared above since they came here; their own messages they know. */
function Arrival({ newest }: { newest: Message | undefined }) {
  const [known] = useState(newest?.id);
  const isNews = newest !== undefined && newest.id !== known && !newest.isMine;
  return (
    <p className="visually-hidden" role="status">
      {isNews &&
        `New message from ${newest.sender.name ?? newest.sender.label}: ${newest.content.slice(0, spokenLength)}`}
    </p>
  );
}

type Message = RouterOutputs["messages"]["list"]["items"][number];

/** One message: who, when, what. The text is shown as it was written, whatever it holds and in whichever direction. */
function MessageItem({ message, onAnswer }: { message: Message } & Pick<MessageListProps, "onAnswer">) {
  const { id, sender, isMine, content, createdAt, wait } = message;
  const Icon = sender.label === "Admin" ? IconLeaf : IconUser;
  return (
    <article className={classes.message} data-mine={isMine || undefined}>
      <header className={classes.head}>
        {sender.name !== null && (
          <bdi className={classes.name}>
            {sender.name}
            {isMine && " (you)"}
          </bdi>
        )}
        <span className={classes.label} data-tone={sender.label === "Admin" ? "positive" : "neutral"}>
          <Icon size={14} stroke={2.25} aria-hidden="true" />
          {sender.label}
        </span>
        {message.isPrivate && (
          <span className={classes.private}>
            <IconLock size={14} stroke={2.25} aria-hidden="true" />
            {readersOf(message)}
          </span>
        )}
        {wait && (
          <span className={classes.wait} data-late={wait === "late" || undefined}>
            {wait === "late" ? "Unanswered, late" : "Unanswered"}
          </span>
        )}
        <time className={classes.time} dateTime={createdAt.toISOString()}>
          {formatDateTime(createdAt)}
        </time>
      </header>
      <p className={classes.content} dir="auto">
        {content}
      </p>
      {onAnswer && sender.label === "Backer" && (
        <ButtonRow>
          <Button variant="default" size="sm" onClick={() => onAnswer({ id, name: sender.name ?? "this backer" })}>
            Answer only {sender.name ?? "this backer"}
          </Button>
          {wait && <NoAnswerButton messageId={id} />}
        </ButtonRow>
      )}
    </article>
  );
}

/** Who else than its writer reads a private message, as far as the reader may know. */
function readersOf({ sender, isMine, recipientName }: Message): string {
  if (recipientName !== null) return `Only to ${recipientName}`;
  if (sender.label === "Admin" && !isMine) return messageTexts.onlyToYou;
  return messageTexts.onlyToTeam;
}

/** For a message that is no question: it isn't waited on any more. */
function NoAnswerButton({ messageId }: { messageId: number }) {
  const utils = trpc.useUtils();
  const dismiss = trpc.messages.dismiss.useMutation({
    onSuccess: () => toast.success(messageTexts.needsNoAnswer),
    onError: (error) => toast.error(messageTexts.markFailed, errorText(error)),
    onSettled: () => utils.messages.list.invalidate(),
  });
  return (
    <Button variant="default" size="sm" loading={dismiss.isPending} onClick={() => dismiss.mutate({ messageId })}>
      Needs no answer
    </Button>
  );
}

/**
 * Follows a project's messages as they come. On the first page (`isAtTop`) they appear by themselves; elsewhere the
 * page stays as it is being read, and `hasNew` says that there is something above.
 */
function useNewMessages(projectId: number, isAtTop: boolean) {
  const utils = trpc.useUtils();
  const [hasNew, setHasNew] = useState(false);
  // At the top everything is shown, also what came while another page was.
  if (isAtTop && hasNew) setHasNew(false);
  useLive("messages", (ofProject) => {
    // Null: the connection was lost, and anything may have been missed.
    if (ofProject !== null && ofProject !== projectId) return;
    void utils.messages.list.invalidate({ projectId }, { refetchType: isAtTop ? "active" : "none" });
    if (!isAtTop && ofProject !== null) setHasNew(true);
  });
  return hasNew;
}
