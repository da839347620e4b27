import { IconLeaf, IconUser } from "@tabler/icons-react";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { formatDateTime } from "#shared/dates.ts";
import classes from "./messages.module.css";

export type Message = RouterOutputs["messages"]["list"]["items"][number];

/** One message: who, when, what. The text is shown as it was written, whatever it holds and in whichever direction. */
export function MessageItem({ message: { sender, isMine, content, createdAt } }: { message: Message }) {
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
        <time className={classes.time} dateTime={createdAt.toISOString()}>
          {formatDateTime(createdAt)}
        </time>
      </header>
      <p className={classes.content} dir="auto">
        {content}
      </p>
    </article>
  );
}
