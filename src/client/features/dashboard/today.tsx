import { IconAlertTriangle, IconChevronRight, IconCircleCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { formatCount, formatNumber } from "#client/lib/format.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { daysBetween } from "#shared/lagos-time.ts";
import { lineText, todayTexts } from "#shared/today/lines.ts";
import classes from "./today.module.css";
import { listLink } from "./today-links.ts";

/** The work that waits for the viewer, late work first, each line with the way to its list. */
export function Today() {
  const query = trpc.dashboard.today.useQuery(undefined, { staleTime: 0 });
  return (
    <section className={classes.section} aria-labelledby="today">
      <h2 id="today" className={classes.heading}>
        {todayTexts.title}
      </h2>
      {query.data ? (
        <Lines {...query.data} />
      ) : query.isError ? (
        <LoadFailed query={query} title={todayTexts.failed} />
      ) : (
        <Loading label="Loading what waits">
          <Skeleton height="8.5rem" radius="var(--mantine-radius-lg)" />
        </Loading>
      )}
    </section>
  );
}

function Lines({ lines, now }: RouterOutputs["dashboard"]["today"]) {
  if (lines.length === 0) {
    return (
      <p className={classes.nothing}>
        <IconCircleCheck size={22} aria-hidden="true" />
        {todayTexts.nothing}
      </p>
    );
  }
  return (
    <ul className={classes.lines}>
      {lines.map(({ kind, count, late, oldest }) => (
        <li key={kind}>
          <Link {...listLink(kind)} className={classes.line} data-late={late > 0 || undefined}>
            <span className={classes.text}>{lineText(kind, count)}</span>
            <span className={classes.facts}>
              {late > 0 && <Late>{late === count ? "Late" : `${formatNumber(late)} late`}</Late>}
              {oldest && <span>{ageText(oldest, now, count)}</span>}
            </span>
            <IconChevronRight className={classes.arrow} size={18} aria-hidden="true" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

export const Late = ({ children }: { children: string }) => (
  <span className={classes.late}>
    <IconAlertTriangle size={16} aria-hidden="true" />
    {children}
  </span>
);

/** "Since today", "oldest 12 days". */
function ageText(since: Date, now: Date, count: number): string {
  const days = daysBetween(since, now);
  const age = days <= 0 ? "since today" : formatCount(days, "day");
  return count === 1 || days <= 0 ? age : `oldest ${age}`;
}
