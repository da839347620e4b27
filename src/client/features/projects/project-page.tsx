import { IconMapPin, IconUser } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatNumber } from "#client/lib/format.ts";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { Loading, Skeleton, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { Clauses } from "#client/ui/layout/clauses.tsx";
import { TabBar } from "#client/ui/layout/tab-bar.tsx";
import { RichText } from "#client/ui/media/rich-text.tsx";
import { VideoPlayer } from "#client/ui/media/video-player.tsx";
import { formatNaira } from "#shared/money.ts";
import { categoryName } from "#shared/projects/categories.ts";
import { termsTexts } from "#shared/projects/terms-texts.ts";
import { administratorsName, projectHeading, type Reward } from "#shared/projects/texts.ts";
import { FundingCard } from "./funding-card.tsx";
import { ProjectPicture } from "./project-card.tsx";
import classes from "./project-page.module.css";
import type { ProjectTab } from "./project-tabs.ts";

type Project = RouterOutputs["projects"]["byId"];

type ProjectPageProps = {
  project: Project;
  tab: ProjectTab;
  onTab: (tab: ProjectTab) => void;
  favorite: ReactNode;
  updates: ReactNode;
  /** Where the money is of what was funded. */
  money: ReactNode;
  /** How the farm's rounds went. */
  record: ReactNode;
  gallery: ReactNode;
};

/** Beside the column of 22.5rem, or in the whole width, as project-page.module.css says. */
const pictureSizes = "(min-width: 74em) 46.25rem, (min-width: 62em) calc(100vw - 27rem), calc(100vw - 2rem)";

/** Picture and title, then at once the funding (a column at the side from 992 px), then the tabs. */
export function ProjectPage({ project, tab, onTab, favorite, updates, money, record, gallery }: ProjectPageProps) {
  return (
    <div className={classes.layout} data-open={!project.isClosed || undefined}>
      <header className={classes.head}>
        <p className={classes.category}>{categoryName(project.category)}</p>
        <h1 className={classes.title}>{projectHeading(project)}</h1>
        <p className={classes.short}>{project.shortDescription}</p>
        <p className={classes.facts}>
          {project.creator !== administratorsName && (
            <span>
              <IconUser size={18} stroke={1.75} aria-hidden="true" />
              <span className="visually-hidden">Run by </span>
              {project.farmId === null ? (
                project.creator
              ) : (
                <Link to="/farms/$id" params={{ id: String(project.farmId) }}>
                  {project.creator}
                </Link>
              )}
            </span>
          )}
          {project.location && (
            <span>
              <IconMapPin size={18} stroke={1.75} aria-hidden="true" />
              <span className="visually-hidden">Location: </span>
              {project.location}
            </span>
          )}
        </p>
      </header>
      <div className={classes.picture}>
        <ProjectPicture project={project} urgency="main" sizes={pictureSizes} hasControls />
      </div>
      <div className={classes.side}>
        <FundingCard project={project} favorite={favorite} />
      </div>
      <div className={classes.details}>
        <TabBar
          label="Project details"
          value={tab}
          onChange={onTab}
          tabs={[
            {
              id: "about",
              label: "About Project",
              panel: () => <About project={project} money={money} record={record} />,
            },
            { id: "updates", label: "Updates", panel: () => updates },
            { id: "gallery", label: "Gallery", panel: () => gallery },
          ]}
        />
      </div>
    </div>
  );
}

function About({ project, money, record }: Pick<ProjectPageProps, "project" | "money" | "record">) {
  return (
    <>
      {project.videoUrl && (
        <div className={classes.video}>
          <VideoPlayer url={project.videoUrl} label={`Video of ${project.title}`} />
        </div>
      )}
      <h2 className="visually-hidden">About Project</h2>
      <RichText html={project.description} />
      <section className={classes.rewards} aria-labelledby="at-harvest">
        <h2 id="at-harvest">At harvest</h2>
        <Clauses clauses={project.terms.clauses} />
        <p className={classes.fine}>{termsTexts.afterwards}</p>
      </section>
      {record}
      {money}
      <RewardList rewards={project.rewards} />
    </>
  );
}

function RewardList({ rewards }: { rewards: Reward[] }) {
  if (rewards.length === 0) return null;
  return (
    <section className={classes.rewards} aria-labelledby="rewards">
      <h2 id="rewards">Rewards</h2>
      <ul className={classes.list}>
        {rewards.map((reward) => (
          <li key={`${reward.title} ${reward.amountKobo}`} className={classes.reward}>
            <h3 className={classes.rewardTitle}>{reward.title}</h3>
            <p className={classes.amount}>
              <span className="money">{formatNaira(BigInt(reward.amountKobo))}</span>
            </p>
            <p>{reward.description}</p>
            <p className={classes.quantity}>
              {reward.quantity === null ? "Unlimited" : `${formatNumber(reward.quantity)} available`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The project page in grey: same columns, same sizes. The backers' page has no picture. */
export function ProjectPageSkeleton({ hasPicture = true }: { hasPicture?: boolean }) {
  return (
    <Loading label="Loading project">
      <div className={classes.layout} data-plain={!hasPicture || undefined}>
        <div className={classes.head}>
          <Skeleton width="9rem" height="1.25rem" />
          <div className={classes.gap} />
          <Skeleton width="min(100%, 26rem)" height="2.25rem" />
          <div className={classes.gap} />
          <Skeleton width="min(100%, 38rem)" height="1.5rem" />
          <div className={classes.gap} />
          <Skeleton width="15rem" height="1.25rem" />
        </div>
        {hasPicture && (
          <div className={classes.picture}>
            <Skeleton ratio="16 / 10" radius="0" />
          </div>
        )}
        <div className={classes.side}>
          <div className={classes.card}>
            <Skeleton width="70%" height="2rem" />
            <Skeleton height="0.625rem" />
            <Skeleton width="80%" height="2.75rem" />
            <Skeleton width="60%" height="1.5rem" />
            <Skeleton height="3.125rem" />
            <Skeleton height="2.625rem" />
          </div>
        </div>
        <div className={classes.details}>
          <SkeletonText lines={6} />
        </div>
      </div>
    </Loading>
  );
}
