import { Button } from "@mantine/core";
import type { Viewer } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { notificationTexts } from "#shared/notifications/texts.ts";
import { NotificationList, useMarkRead } from "./notification-list.tsx";
import classes from "./notifications.module.css";

/** All notifications of the person, a page at a time. The bell keeps the list up to date. */
export function AllNotifications({ viewer }: { viewer: Viewer }) {
  const query = trpc.notifications.list.useInfiniteQuery(
    {},
    { getNextPageParam: (page) => page.nextCursor, staleTime: 0 },
  );
  const { markAllRead, isMarkingAll } = useMarkRead();
  const items = query.data?.pages.flatMap((page) => page.items);
  const newestId = items?.[0]?.id;
  const hasUnread = items?.some(({ isRead }) => !isRead) ?? false;
  return (
    <>
      <PageHead
        title="Notifications"
        text="What happened on the farms you follow, and with your payments."
        aside={
          newestId !== undefined && (
            <Button
              variant="default"
              disabled={!hasUnread}
              loading={isMarkingAll}
              onClick={() => markAllRead(newestId, { isAsked: true })}
            >
              Mark all as read
            </Button>
          )
        }
      />
      {items ? (
        <Items items={items} viewer={viewer} />
      ) : query.isError ? (
        <LoadFailed query={query} title={notificationTexts.unavailable} />
      ) : (
        <Loading label="Loading your notifications">
          <div className={classes.box}>
            {[1, 2, 3, 4].map((row) => (
              <div key={row} className={classes.waiting}>
                <SkeletonText lines={3} />
              </div>
            ))}
          </div>
        </Loading>
      )}
      {query.hasNextPage && (
        <div className={classes.more}>
          {query.isFetchNextPageError && <p role="alert">{notificationTexts.unavailable}</p>}
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more notifications
          </Button>
        </div>
      )}
    </>
  );
}

function Items({ items, viewer }: Pick<Parameters<typeof NotificationList>[0], "items" | "viewer">) {
  if (items.length === 0) {
    return (
      <EmptyState
        picture="/art/empty-updates.svg"
        title={notificationTexts.none}
        text="Reports of farms that you back and news of your payments will appear here."
        action={<LinkButton to="/discover">Discover projects</LinkButton>}
      />
    );
  }
  return (
    <>
      <div className={classes.box}>
        <NotificationList items={items} viewer={viewer} />
      </div>
      <p className="visually-hidden" role="status">
        {items.length === 1 ? "1 notification shown" : `${items.length} notifications shown`}
      </p>
    </>
  );
}
