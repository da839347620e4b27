import { createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { requireSignIn } from "#client/lib/session/guards.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { Page } from "#client/ui/layout/page.tsx";

const KeptCollecting = lazyPart(() => import("#client/features/harvests/keeping/kept-collecting.tsx"));

export const Route = createFileRoute("/farm/$projectId/collect/$id")({
  beforeLoad: requireSignIn,
  component: CollectingPage,
});

function CollectingPage() {
  const { id } = Route.useParams();
  return (
    <Page width="form">
      <PageTitle>Hand produce over</PageTitle>
      <Suspense
        fallback={
          <Loading>
            <Skeleton height="24rem" radius="var(--mantine-radius-lg)" />
          </Loading>
        }
      >
        <KeptCollecting key={id} harvestId={Number(id)} />
      </Suspense>
    </Page>
  );
}
