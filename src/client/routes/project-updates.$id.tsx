import { createFileRoute, redirect } from "@tanstack/react-router";
import { ManageProject } from "#client/app/manage-project.tsx";
import { readManageTab } from "#client/app/manage-tabs.ts";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { toast } from "#client/lib/toast.ts";
import { Page } from "#client/ui/layout/page.tsx";
import { readProjectId } from "#shared/projects/project-id.ts";
import { projectTexts } from "#shared/projects/texts.ts";

const guard = requireAdmin({ gated: true, permission: "projects:view" });

export const Route = createFileRoute("/project-updates/$id")({
  validateSearch: readManageTab,
  beforeLoad: async (input) => {
    await guard(input);
    const projectId = readProjectId(input.params.id);
    if (projectId) return { projectId };
    if (!input.preload) toast.error(projectTexts.invalidManagedId);
    throw redirect({ to: "/admin/dashboard" });
  },
  component: ProjectUpdates,
});

function ProjectUpdates() {
  const { projectId } = Route.useRouteContext();
  const { tab = "updates" } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Page>
      <ManageProject
        key={projectId}
        projectId={projectId}
        tab={tab}
        onTab={(next) =>
          navigate({ search: { tab: next === "updates" ? undefined : next }, replace: true, resetScroll: false })
        }
        onFailed={() => navigate({ to: "/admin/dashboard" })}
      />
    </Page>
  );
}
