import { IconMapPin } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatCount } from "#client/lib/format.ts";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { ReportLine } from "#client/shared-parts/report-line.tsx";
import { ProgressMeter } from "#client/ui/feedback/progress-meter.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { MissingPicture, Picture, type PictureProps, useMissing } from "#client/ui/media/picture.tsx";
import { formatNaira, fundingPercent } from "#shared/money.ts";
import { categoryName } from "#shared/projects/categories.ts";
import { lotsTaken, priceOfLot } from "#shared/projects/texts.ts";
import classes from "./project-card.module.css";

export type CardProject = RouterOutputs["projects"]["featured"][number];

type ProjectCardProps = {
  project: CardProject;
  /** Backed projects lead to the page that only their backers see. */
  to?: "/project/$id" | "/backed-project/$id";
  isEager?: boolean;
  /** In the place of what the farm has raised: what its reader has of it. Its picture isn't grey then, closed or not. */
  own?: ReactNode;
  /** A button in the picture's corner. It lies above the link, not within it. */
  action?: ReactNode;
};

/** A project in a list. The title's link covers the whole card. */
export function ProjectCard({ project, to = "/project/$id", isEager, own, action }: ProjectCardProps) {
  return (
    <article className={classes.card} data-closed={(project.isClosed && !own) || undefined}>
      <div className={classes.picture}>
        <ProjectPicture project={project} urgency={isEager ? "eager" : "lazy"} />
      </div>
      <div className={classes.words}>
        <p className={classes.category}>{categoryName(project.category)}</p>
        <h3 className={classes.title}>
          <Link to={to} params={{ id: String(project.id) }} className={classes.link}>
            {project.title}
          </Link>
        </h3>
        {project.location && (
          <p className={classes.place}>
            <IconMapPin size={16} stroke={1.75} aria-hidden="true" />
            {project.location}
          </p>
        )}
        {own ? <div className={classes.funding}>{own}</div> : <Raised project={project} />}
        {project.reports && (
          <div className={classes.reports}>
            <ReportLine reports={project.reports} />
          </div>
        )}
      </div>
      {action && <div className={classes.action}>{action}</div>}
    </article>
  );
}

/** The raised sum, the goal, the lots, and the time left. */
function Raised({ project }: { project: CardProject }) {
  const percent = fundingPercent(project.currentFundingKobo, project.fundingGoalKobo);
  const raised = formatNaira(project.currentFundingKobo);
  const goal = formatNaira(project.fundingGoalKobo);
  return (
    <>
      <div className={classes.funding}>
        <ProgressMeter
          percent={percent}
          label={`Funding of ${project.title}`}
          valueText={`${raised} of ${goal} raised, ${percent}%`}
          size="sm"
        />
        <p className={classes.figures}>
          <span>
            <strong className="money">{raised}</strong> of <span className="money">{goal}</span>
          </span>
          <span className={classes.percent}>{percent}%</span>
        </p>
      </div>
      <p className={classes.lots}>
        <span>{lotsTaken(project)}</span>
        {project.lots > 1 && <span className="money">{priceOfLot(project)}</span>}
      </p>
      <p className={classes.time}>
        {project.isClosed ? (
          <StatusBadge tone="closed">CLOSED</StatusBadge>
        ) : (
          formatCount(project.daysLeft, "day left", "days left")
        )}
        <span>{formatCount(project.backersCount, "backer")}</span>
      </p>
    </>
  );
}

type ProjectPictureProps = {
  project: { imageUrl: string; imageAlt: string; title: string };
  urgency?: PictureProps["urgency"];
  /** How wide it is shown, where that isn't on a card. */
  sizes?: string;
  /** On the project's own page a video can be played. */
  hasControls?: boolean;
};

/** In the three, two or one columns of project-card.module.css. */
const cardSizes =
  "(min-width: 74em) 22.75rem, (min-width: 62em) calc(33vw - 1.5rem), (min-width: 38em) calc(50vw - 1.75rem), calc(100vw - 2rem)";

/** A project's main picture, 16:10, so that nothing moves when it comes. An address ending in .mp4 is a video. */
export function ProjectPicture({ project, urgency, sizes = cardSizes, hasControls = false }: ProjectPictureProps) {
  const { imageUrl, imageAlt, title } = project;
  const { isMissing, onError, ref } = useMissing(imageUrl);
  if (isMissing) return <MissingPicture className={classes.picturePicture} label={imageAlt} />;
  if (/\.mp4$/i.test(imageUrl)) {
    return (
      <video
        className={classes.picturePicture}
        // The fragment makes browsers show a frame instead of black before it is played.
        src={`${imageUrl}#t=0.1`}
        controls={hasControls}
        muted={!hasControls}
        playsInline
        preload="metadata"
        aria-label={imageAlt || `Video of ${title}`}
        onError={onError}
      />
    );
  }
  return (
    <Picture
      ref={ref}
      className={classes.picturePicture}
      src={imageUrl}
      sizes={sizes}
      urgency={urgency}
      alt={imageAlt}
      width={1200}
      height={750}
      onError={onError}
    />
  );
}
