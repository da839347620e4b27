import type { ReactNode } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { projectTexts } from "#shared/projects/texts.ts";
import classes from "./project-card.module.css";
import { type CardProject, ProjectCard } from "./project-card.tsx";

/** Cards in one to three columns. The children are list items. */
export function ProjectGrid({ children, isStale = false }: { children: ReactNode; isStale?: boolean }) {
  return (
    <ul className={classes.grid} aria-busy={isStale || undefined} data-stale={isStale || undefined}>
      {children}
    </ul>
  );
}

function CardSkeleton() {
  return (
    <div className={classes.card}>
      <Skeleton ratio="16 / 10" radius="0" />
      <div className={classes.words}>
        <Skeleton width="40%" height="1.125rem" />
        <div className={classes.gap} />
        <Skeleton width="85%" height="1.375rem" />
        <div className={classes.gap} />
        <Skeleton width="50%" height="1.125rem" />
        <div className={classes.funding}>
          <Skeleton height="0.375rem" />
          <div className={classes.gap} />
          <Skeleton width="70%" height="1.375rem" />
          <div className={classes.gap} />
          <Skeleton width="35%" height="1.25rem" />
        </div>
      </div>
    </div>
  );
}

export function ProjectGridSkeleton({ count = 6 }: { count?: number }) {
  return (
    <Loading label="Loading projects">
      <div className={classes.grid}>
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are alike and never move.
          <CardSkeleton key={index} />
        ))}
      </div>
    </Loading>
  );
}

/** Home's six: open projects, most backed first. */
export function FeaturedProjects({ action }: { action: (project: CardProject) => ReactNode }) {
  const query = trpc.projects.featured.useQuery();
  if (query.data) {
    return query.data.length === 0 ? (
      <p>{projectTexts.noneOpen}</p>
    ) : (
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
