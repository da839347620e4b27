import { createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { OwnHarvestCard } from "#client/features/harvests/own/own-harvest-card.tsx";
import { OwnPurchases } from "#client/features/payments/buying/own-purchases.tsx";
import { WhereMoneySkeleton } from "#client/features/payouts/release-parts/where-money-skeleton.tsx";
import { BackedProject, BackToProfile } from "#client/features/projects/backed-project.tsx";
import { BackerMedia } from "#client/features/projects/media/backer-media.tsx";
import { ProjectPageSkeleton } from "#client/features/projects/project-page.tsx";
import { type BackedTab, backedTabs } from "#client/features/projects/project-tabs.ts";
import { UpdateList } from "#client/features/projects/updates/update-list.tsx";
import { BackedFarmAnswer } from "#client/features/reports/farm-answer.tsx";
import { FarmRecordSkeleton } from "#client/features/reports/record-skeleton.tsx";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { requireSignInToProject } from "#client/lib/session/guards.ts";
import { trpc } from "#client/lib/trpc.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { Page } from "#client/ui/layout/page.tsx";
import { readProjectId } from "#shared/projects/project-id.ts";
import { projectHeading } from "#shared/projects/texts.ts";

const WhereMoneyIs = lazyPart(() => import("#client/features/payouts/release-parts/where-money-is.tsx"));
const FarmRecord = lazyPart(() => import("#client/features/reports/farm-record.tsx"));
const OwnHarvests = lazyPart(() => import("#client/features/harvests/own/own-harvests.tsx"));
const MessageBoard = lazyPart(() => import("#client/features/projects/messages/message-board.tsx"));

export const Route = createFileRoute("/backed-project/$id")({
  validateSearch: (search: Record<string, unknown>): { tab?: BackedTab | undefined } => ({
    tab: backedTabs.find((tab) => tab === search.tab && tab !== "updates"),
  }),
  beforeLoad: requireSignInToProject,
  loader: ({ context, params }) => {
    const projectId = readProjectId(params.id);
    if (!projectId) return;
    void context.trpc.backings.project.prefetch({ projectId });
    void context.trpc.harvests.mine.prefetch({ projectId });
    void context.trpc.reports.record.prefetch({ projectId });
  },
  component: BackedProjectRoute,
});

function BackedProjectRoute() {
  const { id } = Route.useParams();
  const projectId = readProjectId(id);
  return <Page>{projectId ? <ShownProject key={projectId} projectId={projectId} /> : <Missing />}</Page>;
}

function ShownProject({ projectId }: { projectId: number }) {
  const { tab = "updates" } = Route.useSearch();
  const navigate = Route.useNavigate();
  const query = trpc.backings.project.useQuery({ projectId }, { staleTime: 0, retryOnMount: false });
  const harvests = trpc.harvests.mine.useQuery({ projectId }, { staleTime: 0 });
  // The tab stands where the address names it, too: there it says what could not be loaded, or that nothing is there yet.
  const hasHarvest = tab === "harvest" || harvests.isError || (harvests.data?.length ?? 0) > 0;
  if (query.data) {
    return (
      <>
        <PageTitle>{projectHeading(query.data)}</PageTitle>
        <BackedProject
          project={query.data}
          tab={tab}
          onTab={(next) =>
            navigate({ search: { tab: next === "updates" ? undefined : next }, replace: true, resetScroll: false })
          }
          farmAnswer={query.data.reports && <BackedFarmAnswer projectId={projectId} reports={query.data.reports} />}
          purchases={<OwnPurchases projectId={projectId} />}
          harvestCard={(onOpen) => <OwnHarvestCard projectId={projectId} onOpen={onOpen} />}
          harvest={
            hasHarvest && (
              <Suspense fallback={<LoadingPanel label="Loading your harvests" />}>
                <OwnHarvests projectId={projectId} />
              </Suspense>
            )
          }
          updates={
            <>
              {query.data.reports && (
                <Suspense fallback={<FarmRecordSkeleton />}>
                  <FarmRecord projectId={projectId} hasAnswer={false} />
                </Suspense>
              )}
              {(query.data.outcome === "funded" || query.data.round > 1) && (
                <Suspense fallback={<WhereMoneySkeleton />}>
                  <WhereMoneyIs projectId={projectId} />
                </Suspense>
              )}
              <UpdateList projectId={projectId} isSearchable />
            </>
          }
          media={<BackerMedia projectId={projectId} />}
          messages={
            <Suspense fallback={<LoadingPanel label="Loading messages" />}>
              <MessageBoard projectId={projectId} />
            </Suspense>
          }
        />
      </>
    );
  }
  if (query.isPending) return <ProjectPageSkeleton hasPicture={false} />;
  const reason = errorReason(query.error);
  if (reason === "not_found" || reason === "forbidden") return <Missing />;
  if (reason === "conflict") return <NoLongerBacked why={errorText(query.error)} />;
  return (
    <>
      <PageTitle>Project</PageTitle>
      <BackToProfile />
      <LoadFailed query={query} level={1} title="This project could not be loaded." />
    </>
  );
}

function LoadingPanel({ label }: { label: string }) {
  return (
    <Loading label={label}>
      <Skeleton height="24rem" radius="var(--mantine-radius-md)" />
    </Loading>
  );
}

function Missing() {
  return (
    <>
      <PageTitle>Project not found</PageTitle>
      <BackToProfile />
      <EmptyState
        level={1}
        picture="/art/not-found.svg"
        title="Project not found"
        text="This page is for the project's backers. It doesn't exist, or you don't back it."
      />
    </>
  );
}

/** Their payment was struck: where it says why. */
function NoLongerBacked({ why }: { why: string }) {
  return (
    <>
      <PageTitle>Project</PageTitle>
      <BackToProfile />
      <EmptyState
        level={1}
        picture="/art/not-found.svg"
        title="You don't back this project any more"
        text={why}
        action={
          <LinkButton to="/profile" search={{ tab: "money" }}>
            See your money
          </LinkButton>
        }
      />
    </>
  );
}
