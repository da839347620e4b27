import { IconChevronRight } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatNumber } from "#client/lib/format.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { formatDate } from "#shared/dates.ts";
import { type TodayKind, todayTexts } from "#shared/today/lines.ts";
import classes from "./today.module.css";
import { Late } from "./today.tsx";
import { itemLink, type TodayItem } from "./today-links.ts";

/** Lists the items that a line counts, the longest waiting first, each with the way to where it is worked on. */
export function TodayItems({ kind }: { kind: TodayKind }) {
  const query = trpc.dashboard.todayItems.useQuery({ kind }, { staleTime: 0 });
  if (!query.data) {
    if (query.isError) {
      return <LoadFailed query={query} title={todayTexts.failed} />;
    }
    return (
      <Loading label="Loading what waits">
        <Skeleton height="12rem" radius="var(--mantine-radius-lg)" />
      </Loading>
    );
  }
  const { items } = query.data;
  if (items.length === 0) return <p className={classes.nothing}>Nothing of this waits any more.</p>;
  return (
    <>
      <ul className={classes.lines}>
        {items.map((item) => (
          <li key={item.key}>
            <Place kind={kind} item={item}>
              <span className={classes.text}>{item.title}</span>
              <span className={classes.facts}>
                {item.isLate && <Late>Late</Late>}
                {item.since && <span>since {formatDate(item.since)}</span>}
              </span>
            </Place>
          </li>
        ))}
      </ul>
      {items.length === todayTexts.shown && (
        <p>The {formatNumber(todayTexts.shown)} that wait for longest are shown.</p>
      )}
    </>
  );
}

type PlaceProps = { kind: TodayKind; item: TodayItem; children: ReactNode };

function Place({ kind, item, children }: PlaceProps) {
  const link = itemLink(kind, item);
  if (!link) return <span className={classes.line}>{children}</span>;
  return (
    <Link {...link} className={classes.line}>
      {children}
      <IconChevronRight className={classes.arrow} size={18} aria-hidden="true" />
    </Link>
  );
}
