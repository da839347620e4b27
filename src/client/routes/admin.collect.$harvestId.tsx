import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { Collecting } from "#client/features/harvests/collecting.tsx";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/admin/collect/$harvestId")({
  beforeLoad: requireAdmin({ permission: "harvests:manage" }),
  component: CollectingPage,
});

function CollectingPage() {
  const { harvestId } = Route.useParams();
  return (
    <Page width="form">
      <PageTitle>Hand produce over</PageTitle>
      <Collecting key={harvestId} harvestId={Number(harvestId)} />
    </Page>
  );
}
