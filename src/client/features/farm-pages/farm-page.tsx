import { IconCalendarCheck, IconMapPin, IconPlant2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { formatDate, formatDay } from "#shared/dates.ts";
import { recordTexts as texts } from "#shared/farms/record.ts";
import { placeOf } from "#shared/farms/texts.ts";
import { projectTexts } from "#shared/projects/texts.ts";
import classes from "./farm-pages.module.css";
import { FarmPast } from "./farm-past.tsx";
import { RecordRounds } from "./record-rounds.tsx";

type Farm = RouterOutputs["farmPages"]["page"];
type FarmPageProps = {
  farmId: number;
  title: (title: string) => ReactNode;
  /** The cards of what runs now. */
  running: (projects: Farm["running"]) => ReactNode;
};

/** /farms/{id}: who the farm is, what it runs now, how its rounds went, and what it told last. */
export function FarmPage({ farmId, title, running }: FarmPageProps) {
  const query = trpc.farmPages.page.useQuery({ farmId }, { retryOnMount: false });
  if (query.data) {
    return (
      <>
        {title(query.data.name)}
        <ShownFarm farm={query.data} running={running} />
      </>
    );
  }
  if (query.isPending) return <FarmPageSkeleton />;
  const reason = errorReason(query.error);
  return (
    <>
      {title(reason === "unauthenticated" ? projectTexts.signInTitle : texts.notFoundTitle)}
      {reason === "not_found" || reason === "invalid" ? (
        <FarmNotFound />
      ) : reason === "unauthenticated" ? (
        <EmptyState
          level={1}
          picture="/art/locked.svg"
          title={projectTexts.signInTitle}
          text={errorText(query.error)}
          action={
            <LinkButton to="/login" search={{ next: `/farms/${farmId}` }}>
              Sign In
            </LinkButton>
          }
        />
      ) : (
        <LoadFailed query={query} level={1} title={texts.notFoundTitle} />
      )}
    </>
  );
}

export function FarmNotFound() {
  return (
    <EmptyState
      level={1}
      picture="/art/not-found.svg"
      title={texts.notFoundTitle}
      text={texts.notFound}
      action={<LinkButton to="/discover">Browse Projects</LinkButton>}
    />
  );
}

function ShownFarm({ farm, running }: { farm: Farm; running: FarmPageProps["running"] }) {
  const { name, sinceYear, visitedOn, story, isClosed, record, decidedRounds, past, reports } = farm;
  return (
    <div className={classes.page}>
      <header>
        <h1 className={classes.name}>{name}</h1>
        <p className={classes.facts}>
          <span>
            <IconMapPin size={18} stroke={1.75} aria-hidden="true" />
            <span className="visually-hidden">Place: </span>
            {placeOf(farm)}
          </span>
          {sinceYear !== null && (
            <span>
              <IconPlant2 size={18} stroke={1.75} aria-hidden="true" />
              Farming since {sinceYear}
            </span>
          )}
          {visitedOn && (
            <span>
              <IconCalendarCheck size={18} stroke={1.75} aria-hidden="true" />
              Visited by us on {formatDay(visitedOn)}
            </span>
          )}
          {isClosed && <StatusBadge tone="closed">Runs no new projects</StatusBadge>}
        </p>
        {story && <p className={classes.story}>{story}</p>}
      </header>
      {farm.running.length > 0 && (
        <section className={classes.section} aria-labelledby="running">
          <h2 className={classes.title} id="running">
            Running now
          </h2>
          {running(farm.running)}
        </section>
      )}
      <section className={classes.section} aria-labelledby="record">
        <h2 className={classes.title} id="record">
          Record
        </h2>
        <RecordRounds rounds={record} decided={decidedRounds} />
      </section>
      <FarmPast past={past} />
      {reports.length > 0 && (
        <section className={classes.section} aria-labelledby="reports">
          <h2 className={classes.title} id="reports">
            Newest reports
          </h2>
          <ul className={classes.list}>
            {reports.map(({ id, title, projectId, projectTitle, createdAt }) => (
              <li key={id}>
                <span className={classes.short}>
                  <TextLink to="/project/$id" params={{ id: String(projectId) }} search={{ tab: "updates" }}>
                    {title}
                  </TextLink>
                  <span className={classes.fine}>{projectTitle}</span>
                </span>
                <time className={classes.fine} dateTime={createdAt.toISOString()}>
                  {formatDate(createdAt)}
                </time>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function FarmPageSkeleton() {
  return (
    <Loading label="Loading the farm">
      <div className={classes.page}>
        <div className={classes.section}>
          <Skeleton width="min(100%, 24rem)" height="2.25rem" />
          <Skeleton width="14rem" height="1.25rem" />
          <SkeletonText lines={4} />
        </div>
        <Skeleton height="24rem" radius="var(--mantine-radius-lg)" />
      </div>
    </Loading>
  );
}
