import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { UserProjects } from "#client/features/people/users/user-projects.tsx";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/admin/user-projects/$userId")({
  beforeLoad: requireAdmin({ permission: "users:manage" }),
  component: UserProjectsPage,
});

function UserProjectsPage() {
  const { userId } = Route.useParams();
  return (
    <Page>
      <PageTitle>Backed projects</PageTitle>
      <UserProjects userId={userId} />
    </Page>
  );
}
