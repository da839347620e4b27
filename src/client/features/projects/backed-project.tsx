import { IconArrowLeft, IconCalendar, IconLock } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { TabBar } from "#client/ui/layout/tab-bar.tsx";
import { formatDate } from "#shared/dates.ts";
import { projectHeading } from "#shared/projects-texts.ts";
import { type FundedProject, FundingFigures, timeLeftText } from "./funding-card.tsx";
import classes from "./project-page.module.css";
import type { BackedTab } from "./project-tabs.ts";

type WrittenOff = { writtenOff: readonly { round: number; at: Date | null; reason: string }[] };

type BackedProjectProps = {
  project: FundedProject & { id: number; shortDescription: string; creator: string; location: string } & WrittenOff;
  tab: BackedTab;
  onTab: (tab: BackedTab) => void;
  /** What the reader bought, if anything. */
  purchases: ReactNode;
  updates: ReactNode;
  media: ReactNode;
  messages: ReactNode;
};

export function BackToProfile() {
  return (
    <LinkButton
      to="/profile"
      variant="subtle"
      size="sm"
      className={classes.back}
      leftSection={<IconArrowLeft size={18} />}
    >
      Back to profile
    </LinkButton>
  );
}

/** What its backers see of a project: how it stands and what is new. */
export function BackedProject({ project, tab, onTab, purchases, updates, media, messages }: BackedProjectProps) {
  return (
    <>
      <BackToProfile />
      <div className={classes.layout} data-plain>
        <header className={classes.head}>
          <h1 className={classes.title}>{projectHeading(project)}</h1>
          <p className={classes.short}>{project.shortDescription}</p>
          {project.writtenOff.map(({ round, at, reason }) => (
            <Notice
              key={round}
              tone="negative"
              title={`Your round was written off${at ? ` on ${formatDate(at)}` : ""}.`}
            >
              <p>Nothing more will come of it. The reason: {reason}</p>
            </Notice>
          ))}
        </header>
        <div className={classes.side}>
          <FundingSummary project={project} />
          {purchases}
        </div>
        <div className={classes.details}>
          <TabBar
            label="Project news"
            value={tab}
            onChange={onTab}
            tabs={[
              { id: "updates", label: "Updates", panel: () => updates },
              { id: "media", label: "Media", panel: () => media },
              { id: "messages", label: "Messages", panel: () => messages },
            ]}
          />
        </div>
      </div>
    </>
  );
}

function FundingSummary({ project }: Pick<BackedProjectProps, "project">) {
  const Icon = project.isClosed ? IconLock : IconCalendar;
  return (
    <section className={classes.card} aria-label="Funding summary">
      <FundingFigures project={project} />
      <p className={classes.time}>
        <Icon size={20} stroke={1.75} aria-hidden="true" />
        {timeLeftText(project)}
      </p>
      <dl className={classes.backedFacts}>
        <div>
          <dt>Creator</dt>
          <dd>{project.creator}</dd>
        </div>
        {project.location && (
          <div>
            <dt>Location</dt>
            <dd>{project.location}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}
