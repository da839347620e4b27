import { Link, linkOptions } from "@tanstack/react-router";
import { can, type Viewer } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { formatDateTime } from "#shared/dates.ts";
import { notificationTexts } from "#shared/notifications/texts.ts";
import classes from "./notifications.module.css";

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

type ShownNotification = RouterOutputs["notifications"]["list"]["items"][number];

/** The tab of a backed project's page that shows what the notification is about. */
const tabOf = { admin_message: "messages", backer_message: "messages", project_media: "media" } as const;

/**
 * Where a notification leads: owners and managers to the project's management, others to its page for backers
 * (specification, section 4). Whoever doesn't back the project (any more) would find nothing there: a payment's
 * notification leads them to their payments, any other to the public page. Money that is paid to the reader stands in their
 * profile.
 */
function notificationTarget({ kind, projectId, isBacked, isAboutMoney }: ShownNotification, viewer: Viewer) {
  if (isAboutMoney) return linkOptions({ to: "/profile", search: { tab: "money" } });
  if (kind === "farm_past") return linkOptions({ to: "/farm" });
  if (kind === "saved_search") {
    return projectId === null
      ? linkOptions({ to: "/profile/account", hash: "searches" })
      : linkOptions({ to: "/project/$id", params: { id: String(projectId) } });
  }
  if (projectId === null) {
    return viewer.isAdmin
      ? linkOptions({ to: "/admin/dashboard" })
      : linkOptions({ to: "/profile", search: { tab: "pending" } });
  }
  const params = { id: String(projectId) };
  const tab = kind in tabOf ? tabOf[kind as keyof typeof tabOf] : undefined;
  if (can(viewer, "projects:edit")) return linkOptions({ to: "/project-updates/$id", params, search: { tab } });
  if (viewer.isAdmin || isBacked) return linkOptions({ to: "/backed-project/$id", params, search: { tab } });
  if (kind === "payment_status") return linkOptions({ to: "/profile", search: { tab: "pending" } });
  return linkOptions({ to: "/project/$id", params });
}

/** Marks notifications as read: at once on the bell, then on the server, whose word the screens show in the end. */
export function useMarkRead() {
  const utils = trpc.useUtils();
  const showRead = (isMeant: (id: number) => boolean) => {
    utils.notifications.newest.setData(undefined, (shown) => {
      if (!shown) return shown;
      const marked = shown.items.filter(({ id, isRead }) => !isRead && isMeant(id)).length;
      return {
        items: shown.items.map((item) => (isMeant(item.id) ? { ...item, isRead: true } : item)),
        unreadCount: Math.max(0, shown.unreadCount - marked),
      };
    });
  };
  const settle = { onSettled: () => utils.notifications.invalidate() };
  const one = trpc.notifications.markRead.useMutation({
    onMutate: ({ notificationId }) => showRead((id) => id === notificationId),
    ...settle,
  });
  const all = trpc.notifications.markAllRead.useMutation({
    onMutate: ({ upToId }) => {
      showRead((id) => id <= upToId);
      utils.notifications.newest.setData(undefined, (shown) => shown && { ...shown, unreadCount: 0 });
    },
    ...settle,
  });
  return {
    markRead: (notificationId: number) => one.mutate({ notificationId }),
    /** `isAsked`: by a button, so that a failure is told. */
    markAllRead: (upToId: number, { isAsked }: { isAsked: boolean }) =>
      all.mutate(
        { upToId },
        {
          onError: () => {
            if (isAsked) toast.error("Your notifications could not be marked as read");
          },
        },
      ),
    isMarkingAll: all.isPending,
  };
}
