import { IconMapPin } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatCount } from "#client/lib/format.ts";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { ProgressMeter } from "#client/ui/feedback/progress-meter.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { categoryName } from "#shared/categories.ts";
import { formatNaira, fundingPercent } from "#shared/money.ts";
import classes from "./project-card.module.css";
import { ProjectPicture } from "./project-picture.tsx";

export type CardProject = RouterOutputs["projects"]["featured"][number];

type ProjectCardProps = {
  project: CardProject;
  /** Backed projects lead to the page that only their backers see. */
  to?: "/project/$id" | "/backed-project/$id";
  isEager?: boolean;
  /** A button in the picture's corner. It lies above the link, not within it. */
  action?: ReactNode;
};

/** A project in a list. The title's link covers the whole card. */
export function ProjectCard({ project, to = "/project/$id", isEager, action }: ProjectCardProps) {
  const percent = fundingPercent(project.currentFundingKobo, project.fundingGoalKobo);
  const raised = formatNaira(project.currentFundingKobo);
  const goal = formatNaira(project.fundingGoalKobo);
  return (
    <article className={classes.card} data-closed={project.isClosed || undefined}>
      <div className={classes.picture}>
        <ProjectPicture project={project} urgency={isEager ? "early" : "late"} />
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
        <p className={classes.time}>
          {project.isClosed ? (
            <StatusBadge tone="closed">CLOSED</StatusBadge>
          ) : (
            formatCount(project.daysLeft, "day left", "days left")
          )}
          <span>{formatCount(project.backersCount, "backer")}</span>
        </p>
      </div>
      {action && <div className={classes.action}>{action}</div>}
    </article>
  );
}
