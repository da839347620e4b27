import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { OneFarm } from "#client/features/farms/one-farm.tsx";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/admin/farms/$id")({
  beforeLoad: requireAdmin({ permission: "projects:edit" }),
  component: FarmPage,
});

function FarmPage() {
  const { id } = Route.useParams();
  return (
    <Page>
      <PageTitle>Farm</PageTitle>
      <OneFarm key={id} id={id} />
    </Page>
  );
}
