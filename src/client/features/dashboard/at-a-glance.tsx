import { IconMail, IconUsers } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { formatCount, formatNumber } from "#client/lib/format.ts";
import { can, useViewer } from "#client/lib/session/session.ts";
import { useSite } from "#client/lib/site.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { mailTexts } from "#shared/dashboard/mail-texts.ts";
import { formatDate, formatDateTime } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { todayTexts } from "#shared/today/lines.ts";
import classes from "./dashboard.module.css";

/** How things stand: open projects, and for those who may view payments the money. Nothing where it can't be told. */
export function AtAGlance() {
  const mayViewMoney = can(useViewer(), "payments:view");
  const counts = trpc.dashboard.counts.useQuery(undefined, { staleTime: 0 });
  const money = trpc.dashboard.money.useQuery(undefined, { enabled: mayViewMoney, staleTime: 0 });
  // The table below says what went wrong, and has the button to try again.
  if (counts.isError || money.isError) return null;
  return (
    <section className={classes.glance} aria-label="At a glance" data-money={mayViewMoney || undefined}>
      <Figure
        label="Open projects"
        value={counts.data && formatNumber(counts.data.open)}
        note={counts.data && `${formatNumber(counts.data.closed)} closed`}
      />
      {mayViewMoney && (
        <>
          <Figure
            label="Pending review"
            value={money.data && formatNaira(money.data.pending.kobo)}
            note={money.data && formatCount(money.data.pending.count, "receipt")}
          />
          <Figure
            label="Approved this month"
            value={money.data && formatNaira(money.data.approvedThisMonth.kobo)}
            note={money.data && formatCount(money.data.approvedThisMonth.count, "payment")}
          />
          <div className={classes.chart}>
            {money.data ? <ApprovalsChart weeks={money.data.weeks} /> : <Skeleton height="7.5rem" />}
          </div>
        </>
      )}
    </section>
  );
}

function Figure({ label, value, note }: { label: string; value: ReactNode; note: ReactNode }) {
  return (
    <div className={classes.figure}>
      <p className={classes.label}>{label}</p>
      <p className={classes.value}>{value ?? <Skeleton width="6rem" height="1.75rem" />}</p>
      <p className={classes.note}>{note ?? <Skeleton width="4rem" height="0.875rem" />}</p>
    </div>
  );
}

type Week = RouterOutputs["dashboard"]["money"]["weeks"][number];

const WIDTH = 240;
const HEIGHT = 64;
const GAP = 4;

/** The money approved in each of the last weeks as bars, and the same as a table. */
function ApprovalsChart({ weeks }: { weeks: readonly Week[] }) {
  const most = Math.max(1, ...weeks.map(({ kobo }) => Number(kobo)));
  const total = weeks.reduce((sum, { kobo }) => sum + kobo, 0n);
  const slot = WIDTH / weeks.length;
  const [first, last] = [weeks[0], weeks.at(-1)];
  return (
    <figure className={classes.approvals}>
      <figcaption className={classes.label}>Approved by week</figcaption>
      <svg
        className={classes.bars}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${formatNaira(total)} approved in the last ${weeks.length} weeks. The table below has each week.`}
      >
        {weeks.map(({ startsAt, kobo }, index) => {
          // A week without money still has a mark, so that its place is seen.
          const height = Math.max(2, (Number(kobo) / most) * HEIGHT);
          return (
            <rect
              key={startsAt.getTime()}
              className={kobo === 0n ? classes.glanceNone : classes.bar}
              x={index * slot + GAP / 2}
              y={HEIGHT - height}
              width={slot - GAP}
              height={height}
            />
          );
        })}
      </svg>
      {first && last && (
        <p className={classes.axis} aria-hidden="true">
          <span>{formatDate(first.startsAt)}</span>
          <span>This week</span>
        </p>
      )}
      <details className={classes.details}>
        <summary>As a table</summary>
        <table className={classes.table}>
          <caption className="visually-hidden">Money approved by week</caption>
          <thead>
            <tr>
              <th scope="col">Week of</th>
              <th scope="col">Payments</th>
              <th scope="col">Approved</th>
            </tr>
          </thead>
          <tbody>
            {weeks.map(({ startsAt, count, kobo }) => (
              <tr key={startsAt.getTime()}>
                <th scope="row">{formatDate(startsAt)}</th>
                <td>{count}</td>
                <td className="money">{formatNaira(kobo)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** The ways to what visitors have sent, for those who may read it. A site that offers no jobs may still have applicants. */
export function InboxLinks() {
  const viewer = useViewer();
  const { hasCareers } = useSite();
  const mayRead = can(viewer, "users:manage");
  const counts = trpc.careers.applicantCounts.useQuery(undefined, { enabled: mayRead && !hasCareers });
  if (!mayRead) return null;
  return (
    <ButtonRow>
      {(hasCareers || (counts.data?.all ?? 0) > 0) && (
        <LinkButton to="/admin/applicants" variant="default" leftSection={<IconUsers size={18} aria-hidden="true" />}>
          Job Applicants
        </LinkButton>
      )}
      <LinkButton to="/admin/messages" variant="default" leftSection={<IconMail size={18} aria-hidden="true" />}>
        Messages
      </LinkButton>
    </ButtonRow>
  );
}

/** Says to owners that mails don't leave the server. Nothing where they do, and where it can't be told. */
export function MailNotice() {
  const mail = trpc.alarms.mail.useQuery(undefined, { enabled: can(useViewer(), "settings:manage") });
  if (!mail.data?.isKept) return null;
  return (
    <div className={classes.selfCheck}>
      <Notice tone="negative" title={mailTexts.staysHere}>
        <p>{mailTexts.whatToDo}</p>
      </Notice>
    </div>
  );
}

/** The hourly self-check's open findings, for owners. Nothing where all is well, and where it can't be told. */
export function AlarmsNotice() {
  const alarms = trpc.alarms.list.useQuery(undefined, { enabled: can(useViewer(), "settings:manage"), staleTime: 0 });
  if (!alarms.data?.length) return null;
  return (
    <div className={classes.selfCheck}>
      <Notice tone="negative" title="The self-check found what must not be">
        <ul>
          {alarms.data.map(({ violation, count, since }) => (
            <li key={violation}>
              {violation}: {formatCount(count, "row")}
              {since && `, since ${formatDateTime(since)}`}
            </li>
          ))}
        </ul>
        <p>{todayTexts.alarms}</p>
      </Notice>
    </div>
  );
}
