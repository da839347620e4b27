import { createFileRoute, redirect } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { EditProject } from "#client/features/projects/editing/edit-project.tsx";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { toast } from "#client/lib/toast.ts";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { Page } from "#client/ui/layout/page.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { readProjectId } from "#shared/projects/project-id.ts";
import { projectTexts } from "#shared/projects/texts.ts";

const guard = requireAdmin({
  gated: true,
  permission: "projects:edit",
  denied: "You must be an admin to edit projects",
  lacking: "You don't have permission to edit projects",
});

export const Route = createFileRoute("/edit-project/$id")({
  beforeLoad: async (input) => {
    const { viewer } = await guard(input);
    const projectId = readProjectId(input.params.id);
    if (projectId) return { projectId, viewer };
    if (!input.preload) toast.error(projectTexts.invalidId);
    throw redirect({ to: "/admin/dashboard" });
  },
  component: EditProjectPage,
});

function EditProjectPage() {
  const { projectId, viewer } = Route.useRouteContext();
  const navigate = Route.useNavigate();
  return (
    <Page width="editor">
      <PageTitle>Edit project</PageTitle>
      <PageHead
        title="Edit Project"
        aside={
          <LinkButton to="/admin/dashboard" variant="default" size="sm">
            Back to Dashboard
          </LinkButton>
        }
      />
      <EditProject
        key={projectId}
        userId={viewer.id}
        projectId={projectId}
        onDone={() => navigate({ to: "/admin/dashboard" })}
      />
    </Page>
  );
}
