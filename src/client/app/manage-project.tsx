import { IconArrowLeft, IconEdit, IconExternalLink } from "@tabler/icons-react";
import { type ReactNode, Suspense, useEffect, useEffectEvent } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { errorReason } from "#client/lib/errors.ts";
import { can, useViewer } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { TabBar } from "#client/ui/layout/tab-bar.tsx";
import { formatNaira, fundingPercent } from "#shared/money.ts";
import { projectAdminTexts } from "#shared/projects/admin-texts.ts";
import { lotsTaken, type RoundOutcome } from "#shared/projects/texts.ts";
import classes from "./manage-project.module.css";
import type { ManageTab } from "./manage-tabs.ts";

const ManageUpdates = lazyPart(() => import("#client/features/projects/updates/manage-updates.tsx"));
const ManageReports = lazyPart(() => import("#client/features/reports/manage-reports.tsx"));
const ManageBackers = lazyPart(() => import("#client/features/projects/backings/manage-backers.tsx"));
const ManageHolds = lazyPart(() => import("#client/features/projects/holds/manage-holds.tsx"));
const ManageHarvests = lazyPart(() => import("#client/features/harvests/manage/manage-harvests.tsx"));
const ManageMedia = lazyPart(() => import("#client/features/projects/media/manage-media.tsx"));
const RoundDecision = lazyPart(() => import("#client/features/payments/review/round-decision.tsx"));
const FarmMoney = lazyPart(() => import("#client/features/payouts/releases/farm-money.tsx"));
const OpenRequests = lazyPart(() => import("#client/features/second-person/open-requests.tsx"));
const WriteOff = lazyPart(() => import("#client/features/projects/write-offs/write-off.tsx"));
const MessageBoard = lazyPart(() => import("#client/features/projects/messages/message-board.tsx"));

type ManageProjectProps = {
  projectId: number;
  tab: ManageTab;
  onTab: (tab: ManageTab) => void;
  /** The project can't be shown: back to the dashboard. */
  onFailed: () => void;
};

/** The management of one project. Whoever may only view projects sees no forms, and not who its backers are. */
export function ManageProject({ projectId, tab, onTab, onFailed }: ManageProjectProps) {
  const viewer = useViewer();
  const query = trpc.backings.project.useQuery({ projectId }, { staleTime: 0, retryOnMount: false });
  const { data: project, error } = query;
  const fail = useEffectEvent((failure: unknown) => {
    const isGone = errorReason(failure) === "not_found";
    toast.error(isGone ? projectAdminTexts.notFound : projectAdminTexts.loadFailed);
    onFailed();
  });
  useEffect(() => {
    if (error && !project) fail(error);
  }, [error, project]);

  if (!project || !viewer) return <ManageSkeleton />;
  const mayEdit = can(viewer, "projects:edit");
  const maySeePayments = can(viewer, "payments:view");
  const maySeeHarvests = can(viewer, "harvests:view");
  const isHidden =
    (tab === "backers" && !mayEdit) ||
    (tab === "holds" && !maySeePayments) ||
    ((tab === "harvests" || tab === "money") && !maySeeHarvests);
  return (
    <>
      <PageTitle>{project.title}</PageTitle>
      <ManageHead project={project} mayEdit={mayEdit} />
      {can(viewer, "payments:process") && (
        <Suspense>
          <OpenRequests projectId={projectId} />
          {project.isClosed && <RoundDecision projectId={projectId} />}
        </Suspense>
      )}
      <TabBar
        label="Project management"
        value={isHidden ? "updates" : tab}
        onChange={onTab}
        tabs={[
          {
            id: "updates",
            label: "Updates",
            panel: () =>
              panelOf(
                <div className={classes.updates}>
                  <ManageReports projectId={projectId} mayEdit={mayEdit} />
                  <ManageUpdates projectId={projectId} publisherId={mayEdit ? viewer.id : null} />
                </div>,
              ),
          },
          ...(mayEdit
            ? [
                {
                  id: "backers",
                  label: "Backers",
                  panel: () => panelOf(<ManageBackers projectId={projectId} />),
                } as const,
              ]
            : []),
          ...(maySeePayments
            ? [{ id: "holds", label: "Holds", panel: () => panelOf(<ManageHolds projectId={projectId} />) } as const]
            : []),
          ...(maySeeHarvests
            ? [
                { id: "money", label: "Money", panel: () => panelOf(<FarmMoney projectId={projectId} />) } as const,
                {
                  id: "harvests",
                  label: "Harvests",
                  panel: () => panelOf(<ManageHarvests projectId={projectId} />),
                } as const,
              ]
            : []),
          {
            id: "media",
            label: "Media",
            panel: () => panelOf(<ManageMedia projectId={projectId} mayEdit={mayEdit} />),
          },
          { id: "messages", label: "Messages", panel: () => panelOf(<MessageBoard projectId={projectId} />) },
        ]}
      />
      {can(viewer, "payments:process") && (
        <Suspense>
          <WriteOff projectId={projectId} />
        </Suspense>
      )}
    </>
  );
}

function panelOf(panel: ReactNode) {
  return <Suspense fallback={<PanelSkeleton />}>{panel}</Suspense>;
}

type ManagedProject = {
  id: number;
  title: string;
  isClosed: boolean;
  daysLeft: number;
  backersCount: number;
  currentFundingKobo: bigint;
  fundingGoalKobo: bigint;
  lots: number;
  approvedLots: number;
  outcome: RoundOutcome;
};

function ManageHead({ project, mayEdit }: { project: ManagedProject; mayEdit: boolean }) {
  const params = { id: String(project.id) };
  const { currentFundingKobo: current, fundingGoalKobo: goal } = project;
  return (
    <header className={classes.head}>
      <LinkButton
        to="/admin/dashboard"
        variant="subtle"
        size="sm"
        className={classes.back}
        leftSection={<IconArrowLeft size={18} aria-hidden="true" />}
      >
        Back to Dashboard
      </LinkButton>
      <div className={classes.titles}>
        <h1 className={classes.title}>{project.title}</h1>
        {project.isClosed ? (
          <StatusBadge tone="closed">CLOSED</StatusBadge>
        ) : (
          <StatusBadge tone="positive">Open</StatusBadge>
        )}
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>Raised</dt>
          <dd className="money">
            {formatNaira(current)} of {formatNaira(goal)} ({fundingPercent(current, goal)}%)
          </dd>
        </div>
        <div>
          <dt>Lots</dt>
          <dd>{lotsTaken(project)}</dd>
        </div>
        <div>
          <dt>Backers</dt>
          <dd>{project.backersCount}</dd>
        </div>
        {!project.isClosed && (
          <div>
            <dt>Days left</dt>
            <dd>{project.daysLeft}</dd>
          </div>
        )}
      </dl>
      <div className={classes.links}>
        <LinkButton
          to="/project/$id"
          params={params}
          variant="default"
          size="sm"
          leftSection={<IconExternalLink size={18} aria-hidden="true" />}
        >
          Public page
        </LinkButton>
        {mayEdit && (
          <LinkButton
            to="/edit-project/$id"
            params={params}
            variant="default"
            size="sm"
            leftSection={<IconEdit size={18} aria-hidden="true" />}
          >
            Edit project
          </LinkButton>
        )}
      </div>
    </header>
  );
}

function ManageSkeleton() {
  return (
    <>
      <PageTitle>Project</PageTitle>
      <Loading label="Loading project">
        <div className={classes.head}>
          <Skeleton width="10rem" height="2.25rem" />
          <Skeleton width="60%" height="2.25rem" />
          <Skeleton width="20rem" height="3rem" />
          <Skeleton width="16rem" height="2.75rem" />
        </div>
        <Skeleton height="24rem" radius="var(--mantine-radius-lg)" />
      </Loading>
    </>
  );
}

function PanelSkeleton() {
  return (
    <Loading>
      <Skeleton height="24rem" radius="var(--mantine-radius-lg)" />
    </Loading>
  );
}
