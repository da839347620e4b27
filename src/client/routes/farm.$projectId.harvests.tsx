import { createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { requireSignIn } from "#client/lib/session/guards.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { Page } from "#client/ui/layout/page.tsx";

const KeptHarvests = lazyPart(() => import("#client/features/harvests/keeping/kept-harvests.tsx"));

export const Route = createFileRoute("/farm/$projectId/harvests")({
  beforeLoad: requireSignIn,
  component: HarvestsPage,
});

function HarvestsPage() {
  const { projectId } = Route.useParams();
  return (
    <Page>
      <PageTitle>Harvests</PageTitle>
      <Suspense
        fallback={
          <Loading>
            <Skeleton height="24rem" radius="var(--mantine-radius-lg)" />
          </Loading>
        }
      >
        <KeptHarvests key={projectId} projectId={Number(projectId)} />
      </Suspense>
    </Page>
  );
}
