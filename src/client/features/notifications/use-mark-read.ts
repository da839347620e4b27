import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";

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
