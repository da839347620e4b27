import { IconCalendar, IconClock, IconHeartHandshake, IconLock } from "@tabler/icons-react";
import { type ReactNode, useRef } from "react";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { StickyAction } from "#client/ui/layout/sticky-action.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { projectTexts } from "#shared/project-texts.ts";
import { BackProject, useBackProject } from "./back-project.tsx";
import classes from "./funding.module.css";
import { FundingFigures, timeLeftText } from "./funding-figures.tsx";
import { ShareProject } from "./share-project.tsx";

type Project = RouterOutputs["projects"]["byId"];

/** A closed project shows no days and takes no money. */
function ClosedNotice() {
  return (
    <p className={classes.time}>
      <IconLock size={20} stroke={1.75} aria-hidden="true" />
      Project is closed
    </p>
  );
}

function OpenActions({ project, favorite }: { project: Project; favorite: ReactNode }) {
  const backing = useBackProject(project.id);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <p className={classes.time}>
        <IconCalendar size={20} stroke={1.75} aria-hidden="true" />
        {timeLeftText(project)}
      </p>
      {project.isUnderReview && (
        <p className={classes.notice} data-tone="caution">
          <IconClock size={20} aria-hidden="true" />
          <span>
            <strong className={classes.noticeTitle}>{projectTexts.underReview}</strong>
            You may still go on. The first receipt that we approve takes the project.
          </span>
        </p>
      )}
      <BackProject projectId={project.id} buttonRef={button} {...backing} />
      {favorite}
      <p className={classes.fine}>
        One lot, first come, first served. You pay the whole goal by bank transfer, and we review your receipt within
        one working day.
      </p>
      <StickyAction of={button} until="desktop">
        <BackProject projectId={project.id} {...backing} />
      </StickyAction>
    </>
  );
}

/** What is raised, what is asked, how long, and the one action. */
export function FundingCard({ project, favorite }: { project: Project; favorite: ReactNode }) {
  return (
    <section className={classes.card} aria-label="Funding">
      <FundingFigures project={project} />
      {project.isBacked && (
        <p className={classes.notice} data-tone="positive">
          <IconHeartHandshake size={20} aria-hidden="true" />
          <span>
            <strong className={classes.noticeTitle}>You back this project</strong>
            <TextLink to="/backed-project/$id" params={{ id: String(project.id) }}>
              Follow it here
            </TextLink>
          </span>
        </p>
      )}
      {project.isClosed ? (
        <>
          <ClosedNotice />
          {favorite}
        </>
      ) : (
        <OpenActions project={project} favorite={favorite} />
      )}
      <ShareProject project={project} />
    </section>
  );
}
