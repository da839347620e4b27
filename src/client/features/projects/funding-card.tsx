import { Button } from "@mantine/core";
import {
  IconBrandFacebook,
  IconBrandWhatsapp,
  IconBrandX,
  IconCalendar,
  IconClock,
  IconHeartHandshake,
  IconLock,
  IconShare2,
} from "@tabler/icons-react";
import { useHydrated, useNavigate, useRouter } from "@tanstack/react-router";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { formatNumber } from "#client/lib/format.ts";
import { useViewer } from "#client/lib/session/session.ts";
import { useSite } from "#client/lib/site.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ReportLine } from "#client/shared-parts/report-line.tsx";
import { CopyButton } from "#client/ui/feedback/copy-button.tsx";
import { ProgressMeter } from "#client/ui/feedback/progress-meter.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { StickyAction } from "#client/ui/layout/sticky-action.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { formatNaira, fundingPercent } from "#shared/money.ts";
import { holdTexts } from "#shared/projects/holds-texts.ts";
import { lotProduceText } from "#shared/projects/lot-produce.ts";
import { countLots, lotsTaken, projectHeading, projectTexts, type RoundOutcome } from "#shared/projects/texts.ts";
import classes from "./project-page.module.css";
import { RoundStage } from "./round-stage.tsx";

type Project = RouterOutputs["projects"]["byId"];

/** A closed project shows no days and takes no money. */
function ClosedNotice({ outcome, progress, reports }: Pick<Project, "outcome" | "progress" | "reports">) {
  return (
    <>
      <p className={classes.time}>
        <IconLock size={20} stroke={1.75} aria-hidden="true" />
        Project is closed
      </p>
      {progress && <RoundStage progress={progress} />}
      <ReportLine reports={reports} />
      {outcome === "not_funded" && <p className={classes.fine}>{projectTexts.notFunded}</p>}
    </>
  );
}

function OpenActions({ project, favorite }: { project: Project; favorite: ReactNode }) {
  const backing = useBackProject(project.id);
  const button = useRef<HTMLButtonElement>(null);
  const within = useSite().reviewTime;
  const produce = lotProduceText(project.terms.plan, { lots: 1, roundLots: project.lots });
  const isWaiting = isFull(project) && project.held.mine === 0;
  const label = isWaiting ? "Join the waiting list" : "Back this project";
  return (
    <>
      <p className={classes.time}>
        <IconCalendar size={20} stroke={1.75} aria-hidden="true" />
        {timeLeftText(project)}
      </p>
      {produce && <p className={classes.produce}>{produce}</p>}
      <HeldNotice project={project} />
      {project.isUnderReview && (project.lots === 1 || isFull(project)) && (
        <p className={classes.notice} data-tone="caution">
          <IconClock size={20} aria-hidden="true" />
          <span>
            <strong className={classes.noticeTitle}>{projectTexts.underReview}</strong>
            {project.lots === 1
              ? "You may still go on. The first receipt that we approve takes the project."
              : "No lot is free now. You can join the waiting list."}
          </span>
        </p>
      )}
      <BackProject projectId={project.id} label={label} buttonRef={button} {...backing} />
      {favorite}
      <p className={classes.fine}>{whatComesNext(project, isWaiting, within)}</p>
      <StickyAction of={button} until="desktop">
        <BackProject projectId={project.id} label={label} {...backing} />
      </StickyAction>
    </>
  );
}

/** The way from here, below the one action. */
function whatComesNext({ lots }: Project, isWaiting: boolean, within: string): string {
  if (isWaiting) return "Lots that come free are offered in the order of the list. We email you when it is your turn.";
  return lots === 1
    ? `One lot, first come, first served. You pay the whole goal by bank transfer, and we review your receipt within ${within}.`
    : `First come, first served. You choose how many lots, pay by bank transfer, and we review your receipt within ${within}.`;
}

/** True if no lot is free: approved payments and holds have them all. */
const isFull = ({ lots, approvedLots, held }: Pick<Project, "lots" | "approvedLots" | "held">): boolean =>
  approvedLots + held.lots >= lots;

/** Which lots the reader holds, or until when others hold all that are left. */
function HeldNotice({ project }: { project: Project }) {
  const { mine, mineUntil, freeAt, now } = project.held;
  const text =
    mine > 0 && mineUntil
      ? holdTexts.mine(mine, mineUntil, now)
      : isFull(project) && freeAt
        ? holdTexts.held(freeAt, now)
        : null;
  if (text === null) return null;
  return (
    <p className={classes.notice} data-tone="caution">
      <IconClock size={20} aria-hidden="true" />
      <span>
        <strong className={classes.noticeTitle}>{text}</strong>
        {mine > 0 ? "Go on to pay, or to cancel your hold." : "You can join the waiting list for lots that come free."}
      </span>
    </p>
  );
}

/** The raised sum, the goal, the time left, and the one action. */
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
          <ClosedNotice {...project} />
          {favorite}
        </>
      ) : (
        <OpenActions project={project} favorite={favorite} />
      )}
      <ShareProject project={project} />
    </section>
  );
}

export type FundedProject = {
  title: string;
  currentFundingKobo: bigint;
  fundingGoalKobo: bigint;
  lots: number;
  lotPriceKobo: bigint;
  approvedLots: number;
  /** Where it isn't said, lots that are held count as free. */
  held?: { lots: number };
  outcome: RoundOutcome;
  backersCount: number;
  daysLeft: number;
  isClosed: boolean;
};

/** "12 days left to invest"; a closed project has no days. */
export function timeLeftText({ daysLeft, isClosed }: Pick<FundedProject, "daysLeft" | "isClosed">): string {
  if (isClosed) return "Project is closed";
  return `${formatNumber(daysLeft)} ${daysLeft === 1 ? "day" : "days"} left to invest`;
}

/** Raised, goal and percent, always together, with the number of backers. */
export function FundingFigures({ project }: { project: FundedProject }) {
  const percent = fundingPercent(project.currentFundingKobo, project.fundingGoalKobo);
  const raised = formatNaira(project.currentFundingKobo);
  const goal = formatNaira(project.fundingGoalKobo);
  return (
    <div>
      <p className={classes.raised}>
        <strong className="money">{raised}</strong>
        <span>
          raised of <span className="money">{goal}</span>
        </span>
      </p>
      <ProgressMeter
        percent={percent}
        label={`Funding of ${project.title}`}
        valueText={`${raised} of ${goal} raised, ${percent}%`}
      />
      <dl className={classes.figures}>
        <div>
          <dt>Funded</dt>
          <dd>{percent}%</dd>
        </div>
        <div>
          <dt>Backers</dt>
          <dd>{formatNumber(project.backersCount)}</dd>
        </div>
        <div>
          <dt>{project.outcome === "not_funded" ? "Result" : "Lots"}</dt>
          <dd>{lotsTaken(project)}</dd>
        </div>
        {project.lots > 1 && project.held && !project.isClosed && (
          <div>
            <dt>Still free</dt>
            <dd>{freeText(project, project.held.lots)}</dd>
          </div>
        )}
        {project.lots > 1 && (
          <div>
            <dt>Price of a lot</dt>
            <dd className="money">{formatNaira(project.lotPriceKobo)}</dd>
          </div>
        )}
        <div>
          <dt>Goal</dt>
          <dd className="money">{goal}</dd>
        </div>
      </dl>
    </div>
  );
}

/** "25 lots", or "22 lots, 3 held" while some are held. */
function freeText({ lots, approvedLots }: FundedProject, held: number): string {
  const left = lots - approvedLots - held;
  const free = left > 0 ? countLots(left) : "None";
  return held > 0 ? `${free}, ${formatNumber(held)} held` : free;
}

const signInText = "Please log in to back this project";

/** The way to /back-project: takes the project from the favorites first (specification, section 7). */
function useBackProject(projectId: number) {
  const viewer = useViewer();
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const [asksToSignIn, setAsksToSignIn] = useState(false);
  const remove = trpc.favorites.remove.useMutation({
    onSuccess: async () => {
      void utils.favorites.invalidate();
      await navigate({ to: "/back-project/$id", params: { id: String(projectId) } });
    },
    onError: (error) => toast.error(errorText(error)),
  });
  const back = () => {
    if (viewer) return remove.mutate({ projectId });
    setAsksToSignIn(true);
  };
  return { back, isPending: remove.isPending, asksToSignIn: asksToSignIn && !viewer };
}

type BackProjectProps = ReturnType<typeof useBackProject> & {
  projectId: number;
  label: string;
  buttonRef?: RefObject<HTMLButtonElement | null>;
};

/** The page's one action. Anonymous visitors get the two ways in beside it, and go on from there. */
function BackProject({ projectId, label, back, isPending, asksToSignIn, buttonRef }: BackProjectProps) {
  const next = `/back-project/${projectId}`;
  return (
    <div className={classes.actions}>
      <Button ref={buttonRef} size="lg" fullWidth loading={isPending} onClick={back}>
        {label}
      </Button>
      {asksToSignIn && (
        <div className={classes.signIn}>
          <p role="status">{signInText}. New here? Create an account to hold lots: you come back afterwards.</p>
          <LinkButton to="/signup" search={{ next }}>
            Sign Up
          </LinkButton>
          <LinkButton to="/login" search={{ next }} variant="default">
            Sign In
          </LinkButton>
        </div>
      )}
    </div>
  );
}

type Shared = { id: number; title: string; isClosed: boolean };

/** Plain links: nothing of those sites is loaded, and they learn nothing until somebody goes there. */
function waysToShare(text: string, url: string) {
  const part = encodeURIComponent;
  return [
    { name: "WhatsApp", Icon: IconBrandWhatsapp, href: `https://wa.me/?text=${part(`${text} ${url}`)}` },
    { name: "Facebook", Icon: IconBrandFacebook, href: `https://www.facebook.com/sharer/sharer.php?u=${part(url)}` },
    { name: "X", Icon: IconBrandX, href: `https://x.com/intent/post?text=${part(text)}&url=${part(url)}` },
  ];
}

/** Sends a project's one address on, without tabs or anything else that the address bar may hold. */
function ShareProject({ project }: { project: Shared }) {
  const site = useSite();
  const url = `${useRouter().origin}/project/${project.id}`;
  const isInBrowser = useHydrated();
  const title = projectHeading(project);
  const [whatsApp, ...others] = waysToShare(`${title} on ${site.name}:`, url).map(({ name, Icon, href }) => (
    <Button
      key={name}
      component="a"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      variant="default"
      fullWidth
      leftSection={<Icon size={18} stroke={1.75} aria-hidden="true" />}
    >
      {name}
      <span className="visually-hidden">, opens in a new tab</span>
    </Button>
  ));
  const share = () => {
    // Closing the sheet without choosing is no failure, and what it opens reports its own.
    navigator.share({ title, text: `${title} on ${site.name}`, url }).catch(() => undefined);
  };
  return (
    <section className={classes.share} aria-labelledby="share-project">
      <h2 id="share-project" className={classes.shareTitle}>
        Share this project
      </h2>
      {whatsApp}
      <CopyButton text={url} what="link" isNamed fullWidth />
      {others}
      {isInBrowser && "share" in navigator && (
        <div className={classes.more}>
          <Button
            variant="default"
            fullWidth
            leftSection={<IconShare2 size={18} stroke={1.75} aria-hidden="true" />}
            onClick={share}
          >
            Share with an app
          </Button>
        </div>
      )}
    </section>
  );
}
