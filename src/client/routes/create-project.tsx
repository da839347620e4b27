import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { CreateWizard } from "#client/features/projects/editing/create-wizard.tsx";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { Page } from "#client/ui/layout/page.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";

export const Route = createFileRoute("/create-project")({
  beforeLoad: requireAdmin({
    gated: true,
    permission: "projects:create",
    denied: "You must be an admin to create projects",
    lacking: "You don't have permission to create projects",
  }),
  component: CreateProject,
});

function CreateProject() {
  const { viewer } = Route.useRouteContext();
  const navigate = Route.useNavigate();
  return (
    <Page width="editor">
      <PageTitle>Create project</PageTitle>
      <PageHead
        title="Create a Project"
        text="Three steps: the basics, the story, the rewards with the harvest terms. Your project is published immediately after submission."
      />
      <CreateWizard userId={viewer.id} onCreated={() => navigate({ to: "/admin/dashboard" })} />
    </Page>
  );
}
