import type { ReactNode } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/error-state.tsx";
import { projectTexts } from "#shared/project-texts.ts";
import { type CardProject, ProjectCard } from "./project-card.tsx";
import { ProjectGrid, ProjectGridSkeleton } from "./project-grid.tsx";

/** Home's six: open projects, most backed first. */
export function FeaturedProjects({ action }: { action: (project: CardProject) => ReactNode }) {
  const query = trpc.projects.featured.useQuery();
  if (query.data) {
    return (
      <ProjectGrid>
        {query.data.map((project) => (
          <li key={project.id}>
            <ProjectCard project={project} action={action(project)} />
          </li>
        ))}
      </ProjectGrid>
    );
  }
  if (query.isPending) return <ProjectGridSkeleton />;
  return (
    <ErrorState title={projectTexts.loadFailed} onRetry={() => void query.refetch()} isRetrying={query.isRefetching} />
  );
}
