import { useState } from "react";
import { EmptyState } from "#client/ui/feedback/empty-state.tsx";
import { Loading, Skeleton, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { type Message, MessageItem } from "./message-item.tsx";
import classes from "./messages.module.css";

type MessageListProps = {
  messages: Message[];
  search: string;
  canSend: boolean;
  /** Another page or search is on its way. */
  isStale: boolean;
};

/** One page of messages, or why there are none. */
export function MessageList({ messages, search, canSend, isStale }: MessageListProps) {
  if (messages.length > 0) {
    return (
      <div className={classes.list} aria-busy={isStale}>
        {messages.map((message) => (
          <MessageItem key={message.id} message={message} />
        ))}
      </div>
    );
  }
  if (search) return <EmptyState title="No messages found" text={`No message has “${search}” in its text.`} />;
  return (
    <EmptyState
      picture="/art/empty-messages.svg"
      title="No messages yet"
      text={canSend ? "Write the first one: a question, a wish, a thank-you." : "What is written will stand here."}
    />
  );
}

export function MessageListSkeleton() {
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
export function Arrival({ newest }: { newest: Message | undefined }) {
  const [known] = useState(newest?.id);
  const isNews = newest !== undefined && newest.id !== known && !newest.isMine;
  return (
    <p className="visually-hidden" role="status">
      {isNews &&
        `New message from ${newest.sender.name ?? newest.sender.label}: ${newest.content.slice(0, spokenLength)}`}
    </p>
  );
}
