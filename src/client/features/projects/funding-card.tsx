import { IconCalendar, IconClock, IconHeartHandshake, IconLock } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { TextLink } from "#client/ui/text-link.tsx";
import { projectTexts } from "#shared/project-texts.ts";
import { BackProject, useBackProject } from "./back-project.tsx";
import classes from "./funding.module.css";
import { FundingFigures, timeLeftText } from "./funding-figures.tsx";

type Project = RouterOutputs["projects"]["byId"];

/** Whether the element is on the screen; true until it has been looked at. */
function useIsOnScreen() {
  const ref = useRef<HTMLButtonElement>(null);
  const [isOnScreen, setIsOnScreen] = useState(true);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver(([entry]) => setIsOnScreen(entry?.isIntersecting ?? true));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, isOnScreen };
}

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
  const { ref, isOnScreen } = useIsOnScreen();
  return (
    <>
      <p className={classes.time}>
        <IconCalendar size={20} stroke={1.75} aria-hidden="true" />
        {timeLeftText(project)}
      </p>
      {project.isUnderReview && (
        <p className={classes.notice}>
          <IconClock size={20} aria-hidden="true" />
          <span>
            <strong className={classes.noticeTitle}>{projectTexts.underReview}</strong>
            You may still go on. The first receipt that we approve takes the project.
          </span>
        </p>
      )}
      <BackProject projectId={project.id} buttonRef={ref} {...backing} />
      {favorite}
      <p className={classes.fine}>
        One lot, first come, first served. You pay the whole goal by bank transfer, and we review your receipt within
        one working day.
      </p>
      {!isOnScreen && (
        <div className={classes.sticky}>
          <BackProject projectId={project.id} {...backing} />
        </div>
      )}
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
            <TextLink to="/backed-project/$id" params={{ id: String(project.id) }} c="inherit">
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
    </section>
  );
}
