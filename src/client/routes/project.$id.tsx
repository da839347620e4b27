import { createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { RecordCardSkeleton } from "#client/features/farm-pages/record-card-skeleton.tsx";
import { WhereMoneySkeleton } from "#client/features/payouts/release-parts/where-money-skeleton.tsx";
import { FavoriteButton } from "#client/features/projects/favorites/favorite-button.tsx";
import { Gallery } from "#client/features/projects/media/gallery.tsx";
import { ProjectPage, ProjectPageSkeleton } from "#client/features/projects/project-page.tsx";
import { type ProjectTab, projectTabs } from "#client/features/projects/project-tabs.ts";
import { ProjectNotFound, ProjectUnavailable } from "#client/features/projects/project-unavailable.tsx";
import { UpdateList } from "#client/features/projects/updates/update-list.tsx";
import { FarmRecordSkeleton } from "#client/features/reports/record-skeleton.tsx";
import { errorReason } from "#client/lib/errors.ts";
import { retryFailures } from "#client/lib/query-client.ts";
import { trpc } from "#client/lib/trpc.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { Page } from "#client/ui/layout/page.tsx";
import { readProjectId } from "#shared/projects/project-id.ts";
import { projectHeading, projectTexts } from "#shared/projects/texts.ts";

const WhereMoneyIs = lazyPart(() => import("#client/features/payouts/release-parts/where-money-is.tsx"));
const RecordCard = lazyPart(() => import("#client/features/farm-pages/record-card.tsx"));
const FarmRecord = lazyPart(() => import("#client/features/reports/farm-record.tsx"));

const retry = retryFailures(3);

export const Route = createFileRoute("/project/$id")({
  validateSearch: (search: Record<string, unknown>): { tab?: ProjectTab | undefined } => ({
    tab: projectTabs.find((tab) => tab === search.tab && tab !== "about"),
  }),
  loader: ({ context, params }) => {
    const projectId = readProjectId(params.id);
    if (projectId) void context.trpc.projects.byId.prefetch({ projectId }, { retry });
  },
  component: ProjectRoute,
});

function ProjectRoute() {
  const { id } = Route.useParams();
  const projectId = readProjectId(id);
  return (
    <Page>
      {projectId ? (
        <ShownProject key={projectId} projectId={projectId} />
      ) : (
        <>
          <PageTitle>{projectTexts.notFoundTitle}</PageTitle>
          <ProjectNotFound />
        </>
      )}
    </Page>
  );
}

function ShownProject({ projectId }: { projectId: number }) {
  const { tab = "about" } = Route.useSearch();
  const navigate = Route.useNavigate();
  // The loader has asked already: a refusal that came before the page stood is not asked for again.
  const query = trpc.projects.byId.useQuery({ projectId }, { retry, retryOnMount: false });
  const project = query.data;
  if (project) {
    return (
      <>
        <PageTitle>{projectHeading(project)}</PageTitle>
        <ProjectPage
          project={project}
          tab={tab}
          onTab={(next) =>
            navigate({ search: { tab: next === "about" ? undefined : next }, replace: true, resetScroll: false })
          }
          favorite={<FavoriteButton project={project} variant="text" />}
          updates={
            <>
              {project.reports && (
                <Suspense fallback={<FarmRecordSkeleton />}>
                  <FarmRecord projectId={projectId} />
                </Suspense>
              )}
              <UpdateList projectId={projectId} />
            </>
          }
          money={
            (project.outcome === "funded" || project.round > 1) && (
              <Suspense fallback={<WhereMoneySkeleton />}>
                <WhereMoneyIs projectId={projectId} />
              </Suspense>
            )
          }
          record={
            project.farmId !== null && (
              <Suspense fallback={<RecordCardSkeleton />}>
                <RecordCard farmId={project.farmId} farm={project.creator} />
              </Suspense>
            )
          }
          gallery={<Gallery projectId={projectId} />}
        />
      </>
    );
  }
  if (query.isPending) return <ProjectPageSkeleton />;
  return (
    <>
      <PageTitle>
        {errorReason(query.error) === "unauthenticated" ? projectTexts.signInTitle : projectTexts.notFoundTitle}
      </PageTitle>
      <ProjectUnavailable
        error={query.error}
        path={`/project/${projectId}`}
        onRetry={() => void query.refetch()}
        isRetrying={query.isRefetching}
      />
    </>
  );
}
