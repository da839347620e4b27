import { Button } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type ToggleEvent, useEffect, useId, useRef, useState } from "react";
import { useLive } from "#client/lib/live.ts";
import { useViewer, type Viewer } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import iconButton from "#client/ui/layout/icon-button.module.css";
import { notificationLimits, notificationTexts } from "#shared/notifications/texts.ts";
import { NotificationList, useMarkRead } from "./notification-list.tsx";
import classes from "./notifications.module.css";

export default function Bell() {
  const viewer = useViewer();
  return viewer ? <ShownBell viewer={viewer} /> : null;
}

const countText = (unread: number) =>
  unread > notificationLimits.badge ? `${notificationLimits.badge}+` : String(unread);

/**
 * The bell with the number of unread notifications, and the five newest under it. The native popover brings Escape,
 * outside clicks, aria-expanded and the focus back to the bell.
 */
function ShownBell({ viewer }: { viewer: Viewer }) {
  const id = useId();
  const bell = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLElement>(null);
  const utils = trpc.useUtils();
  const newest = trpc.notifications.newest.useQuery(undefined, {
    staleTime: 0,
    refetchInterval: notificationLimits.pollMs,
  });
  useLive("notifications", () => void utils.notifications.invalidate());
  const { markAllRead } = useMarkRead();
  const [isOpen, setIsOpen] = useState(false);
  // What was unread when the list was opened stays marked in it, although it counts as read from then on.
  const [fresh, setFresh] = useState<ReadonlySet<number>>();
  const { data } = newest;
  const unread = data?.unreadCount ?? 0;

  const toggle = ({ newState }: ToggleEvent<HTMLElement>) => {
    if (newState === "open") placeUnder(bell.current, panel.current);
    setIsOpen(newState === "open");
    setFresh(undefined);
  };
  useEffect(() => {
    const first = data?.items[0];
    if (!isOpen || fresh || !first) return;
    setFresh(new Set(data.items.filter(({ isRead }) => !isRead).map((item) => item.id)));
    if (data.unreadCount > 0) markAllRead(first.id, { isAsked: false });
  }, [isOpen, fresh, data, markAllRead]);

  return (
    <>
      <button
        ref={bell}
        type="button"
        className={iconButton.button}
        popoverTarget={id}
        aria-label={unread > 0 ? `Notifications, ${countText(unread)} unread` : "Notifications"}
      >
        <IconBell size={24} stroke={1.75} aria-hidden="true" />
        {unread > 0 && (
          <span className={classes.badge} aria-hidden="true">
            {countText(unread)}
          </span>
        )}
      </button>
      <Arrivals unread={data && unread} />
      <section
        ref={panel}
        id={id}
        className={classes.panel}
        popover="auto"
        aria-label="Notifications"
        onBeforeToggle={toggle}
      >
        <h2 className={classes.heading}>Notifications</h2>
        <div className={classes.scroll}>
          {data && data.items.length > 0 ? (
            <NotificationList
              items={data.items}
              viewer={viewer}
              fresh={fresh}
              onOpen={() => panel.current?.hidePopover()}
            />
          ) : data ? (
            <p className={classes.text}>{notificationTexts.none}</p>
          ) : newest.isError ? (
            <div className={classes.text} role="alert">
              <p>{notificationTexts.unavailable}</p>
              <Button variant="default" loading={newest.isFetching} onClick={() => void newest.refetch()}>
                Try again
              </Button>
            </div>
          ) : (
            <Loading label="Loading your notifications">
              <div className={classes.text}>
                <SkeletonText lines={4} />
              </div>
            </Loading>
          )}
        </div>
        <Link to="/notifications" className={classes.all} onClick={() => panel.current?.hidePopover()}>
          All notifications
        </Link>
      </section>
    </>
  );
}

/** Tells readers of what came while the page was open. */
function Arrivals({ unread }: { unread: number | undefined }) {
  const before = useRef(unread);
  const [text, setText] = useState("");
  useEffect(() => {
    if (unread === undefined) return;
    if (before.current !== undefined && unread > before.current)
      setText(unread === 1 ? "1 unread notification" : `${countText(unread)} unread notifications`);
    before.current = unread;
  }, [unread]);
  return (
    <span className="visually-hidden" role="status">
      {text}
    </span>
  );
}

/** Right under the bell; on a phone across the screen (by the styles, which then disregard `right`). */
function placeUnder(bell: HTMLElement | null, panel: HTMLElement | null) {
  if (!bell || !panel) return;
  const { bottom, right } = bell.getBoundingClientRect();
  panel.style.top = `${bottom + 8}px`;
  panel.style.setProperty("--bell-right", `${document.documentElement.clientWidth - right}px`);
}
