import { IconMapPin, IconUser } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { TabBar } from "#client/ui/layout/tab-bar.tsx";
import { RichText } from "#client/ui/media/rich-text.tsx";
import { VideoPlayer } from "#client/ui/media/video-player.tsx";
import { categoryName } from "#shared/categories.ts";
import { projectHeading } from "#shared/project-texts.ts";
import { FundingCard } from "./funding-card.tsx";
import classes from "./project-page.module.css";
import { ProjectPicture } from "./project-picture.tsx";
import type { ProjectTab } from "./project-tabs.ts";
import { RewardList } from "./reward-list.tsx";

export type Project = RouterOutputs["projects"]["byId"];

type ProjectPageProps = {
  project: Project;
  tab: ProjectTab;
  onTab: (tab: ProjectTab) => void;
  favorite: ReactNode;
  updates: ReactNode;
  gallery: ReactNode;
};

/** Beside the column of 22.5rem, or in the whole width, as project-page.module.css says. */
const pictureSizes = "(min-width: 74em) 46.25rem, (min-width: 62em) calc(100vw - 27rem), calc(100vw - 2rem)";

/** Picture and title, then at once the funding (a column at the side from 992 px), then the tabs. */
export function ProjectPage({ project, tab, onTab, favorite, updates, gallery }: ProjectPageProps) {
  return (
    <div className={classes.layout} data-open={!project.isClosed || undefined}>
      <header className={classes.head}>
        <p className={classes.category}>{categoryName(project.category)}</p>
        <h1 className={classes.title}>{projectHeading(project)}</h1>
        <p className={classes.short}>{project.shortDescription}</p>
        <p className={classes.facts}>
          <span>
            <IconUser size={18} stroke={1.75} aria-hidden="true" />
            <span className="visually-hidden">Run by </span>
            {project.creator}
          </span>
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
            { id: "about", label: "About Project", panel: () => <About project={project} /> },
            { id: "updates", label: "Updates", panel: () => updates },
            { id: "gallery", label: "Gallery", panel: () => gallery },
          ]}
        />
      </div>
    </div>
  );
}

function About({ project }: { project: Project }) {
  return (
    <>
      {project.videoUrl && (
        <div className={classes.video}>
          <VideoPlayer url={project.videoUrl} label={`Video of ${project.title}`} />
        </div>
      )}
      <h2 className="visually-hidden">About Project</h2>
      <RichText html={project.description} />
      <RewardList rewards={project.rewards} />
    </>
  );
}
