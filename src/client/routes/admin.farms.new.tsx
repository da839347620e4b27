import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { NewFarm } from "#client/features/farms/new-farm.tsx";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/admin/farms/new")({
  beforeLoad: requireAdmin({ permission: "projects:edit" }),
  component: NewFarmPage,
});

function NewFarmPage() {
  const navigate = Route.useNavigate();
  return (
    <Page>
      <PageTitle>Add a farm</PageTitle>
      <NewFarm onAdded={(id) => void navigate({ to: "/admin/farms/$id", params: { id: String(id) }, replace: true })} />
    </Page>
  );
}
