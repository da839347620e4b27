import { IconArrowLeft, IconCalendar, IconLock } from "@tabler/icons-react";
import { type ReactNode, useRef } from "react";
import { useSite } from "#client/lib/site.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { TabBar } from "#client/ui/layout/tab-bar.tsx";
import { formatDate } from "#shared/dates.ts";
import { administratorsName, projectHeading } from "#shared/projects/texts.ts";
import { type FundedProject, FundingFigures, timeLeftText } from "./funding-card.tsx";
import classes from "./project-page.module.css";
import type { BackedTab } from "./project-tabs.ts";

type WrittenOff = { writtenOff: readonly { round: number; at: Date | null; reason: string }[] };

type BackedProjectProps = {
  project: FundedProject & { id: number; shortDescription: string; creator: string; location: string } & WrittenOff;
  tab: BackedTab;
  onTab: (tab: BackedTab) => void;
  /** The farm's state in one line; null while it owes no report. */
  farmAnswer: ReactNode;
  /** The reader's purchases, if any. */
  purchases: ReactNode;
  /** How the reader's harvest stands; pressing it opens the tab. */
  harvestCard: (onOpen: () => void) => ReactNode;
  /** Null while there is no harvest. */
  harvest: ReactNode;
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

/** The backers' page of a project: its state and its news. */
export function BackedProject({ project, tab, onTab, ...parts }: BackedProjectProps) {
  const { farmAnswer, purchases, harvestCard, harvest, updates, media, messages } = parts;
  const details = useRef<HTMLDivElement>(null);
  const openHarvest = () => {
    if (tab !== "harvest") onTab("harvest");
    // On phones the tabs stand below the card.
    details.current?.scrollIntoView({ block: "start" });
    details.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <BackToProfile />
      <div className={classes.layout} data-plain>
        <header className={classes.head}>
          <h1 className={classes.title}>{projectHeading(project)}</h1>
          <p className={classes.short}>{project.shortDescription}</p>
          {project.writtenOff.map(({ round, at, reason }) => (
            <Notice key={round} tone="negative" title={`Your round ended${at ? ` on ${formatDate(at)}` : ""}.`}>
              <p>Nothing more will come of it. The reason: {reason}</p>
            </Notice>
          ))}
        </header>
        <div className={classes.side}>
          {/* In one piece, which stays in sight beside a long tab. */}
          <div>
            {harvestCard(openHarvest)}
            <FundingSummary project={project} farmAnswer={farmAnswer} />
            {purchases}
          </div>
        </div>
        <div className={classes.details} ref={details} tabIndex={-1}>
          <TabBar
            label="Project news"
            value={tab}
            onChange={onTab}
            tabs={[
              { id: "updates", label: "Updates", panel: () => updates },
              { id: "media", label: "Media", panel: () => media },
              { id: "messages", label: "Messages", panel: () => messages },
              ...(harvest ? [{ id: "harvest" as const, label: "Harvest", panel: () => harvest }] : []),
            ]}
          />
        </div>
      </div>
    </>
  );
}

function FundingSummary({ project, farmAnswer }: Pick<BackedProjectProps, "project" | "farmAnswer">) {
  const site = useSite();
  const Icon = project.isClosed ? IconLock : IconCalendar;
  return (
    <section className={classes.card} aria-label="Funding summary">
      {farmAnswer}
      <FundingFigures project={project} />
      <p className={classes.time}>
        <Icon size={20} stroke={1.75} aria-hidden="true" />
        {timeLeftText(project)}
      </p>
      <dl className={classes.backedFacts}>
        <div>
          <dt>Creator</dt>
          <dd>{project.creator === administratorsName ? `The ${site.name} team` : project.creator}</dd>
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
