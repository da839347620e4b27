import { createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { Page } from "#client/ui/layout/page.tsx";

// What it needs is named in its own chunk, and not in the first load's.
const Collecting = lazyPart(() => import("#client/features/harvests/manage/collecting.tsx"));

export const Route = createFileRoute("/admin/collect/$id")({
  beforeLoad: requireAdmin({ permission: "harvests:manage" }),
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
        <Collecting key={id} harvestId={Number(id)} />
      </Suspense>
    </Page>
  );
}
