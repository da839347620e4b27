import { Link } from "@tanstack/react-router";
import type { Viewer } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { formatDateTime } from "#shared/dates.ts";
import { notificationTexts } from "#shared/notification-texts.ts";
import classes from "./notification-list.module.css";
import { notificationTarget, type ShownNotification } from "./notification-target.ts";
import { useMarkRead } from "./use-mark-read.ts";

type NotificationListProps = {
  items: ShownNotification[];
  viewer: Viewer;
  /** Those that were unread when the list was opened; else what the server says now. */
  fresh?: ReadonlySet<number>;
  onOpen?: () => void;
};

/** Notifications as links to what they are about; to follow one marks it as read. */
export function NotificationList({ items, viewer, fresh, onOpen }: NotificationListProps) {
  const { markRead } = useMarkRead();
  const utils = trpc.useUtils();
  return (
    <ul className={classes.list}>
      {items.map((item) => {
        const isNew = !item.isRead || fresh?.has(item.id);
        return (
          <li key={item.id} className={classes.item} data-new={isNew || undefined}>
            <Link
              {...notificationTarget(item, viewer)}
              className={classes.link}
              onClick={() => {
                // What it tells of is newer than what the screens have kept.
                void utils.invalidate();
                if (!item.isRead) markRead(item.id);
                onOpen?.();
              }}
            >
              <span className={classes.title}>
                {isNew && <span className="visually-hidden">New: </span>}
                {item.title.trim() || notificationTexts.noTitle}
              </span>
              <span className={classes.content}>{item.content.trim() || notificationTexts.noContent}</span>
              <span className={classes.date}>{dateText(item.createdAt)}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

function dateText(date: Date): string {
  return Number.isNaN(date.getTime()) ? notificationTexts.unknownDate : formatDateTime(date);
}
