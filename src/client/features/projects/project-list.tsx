import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { projectTexts } from "#shared/projects/texts.ts";
import classes from "./project-card.module.css";
import { type CardProject, ProjectCard } from "./project-card.tsx";
import { ProjectGrid, ProjectGridSkeleton } from "./project-grid.tsx";

/** The part of an infinite query that the list reads. */
type Pages<Project> = {
  data: { pages: { items: Project[] }[] } | undefined;
  isError: boolean;
  isRefetching: boolean;
  isPlaceholderData: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
};

type ProjectListProps<Project> = {
  query: Pages<Project>;
  /** For readers: the eye sees from the place what the list is. */
  heading: string;
  empty: ReactNode;
  to?: "/project/$id" | "/backed-project/$id";
  /** The button in a card's corner. */
  action?: (project: Project) => ReactNode;
  /** The card's line about its reader's own part. */
  own?: (project: Project) => ReactNode;
  /** How many cards stand above the fold. */
  eagerCount?: number;
};

/** Projects a page at a time: skeletons, cards, "load more"; a failed page keeps what was there. */
export function ProjectList<Project extends CardProject>(props: ProjectListProps<Project>) {
  const { query, heading, empty, to, action, own, eagerCount = 0 } = props;
  const projects = query.data?.pages.flatMap((page) => page.items);
  if (!projects) {
    if (!query.isError) return <ProjectGridSkeleton />;
    return (
      <ErrorState title={projectTexts.loadFailed} onRetry={() => query.refetch()} isRetrying={query.isRefetching} />
    );
  }
  if (projects.length === 0) return empty;
  return (
    <>
      <h2 className="visually-hidden">{heading}</h2>
      <ProjectGrid isStale={query.isPlaceholderData}>
        {projects.map((project, index) => (
          <li key={project.id}>
            <ProjectCard
              project={project}
              to={to}
              isEager={index < eagerCount}
              own={own?.(project)}
              action={action?.(project)}
            />
          </li>
        ))}
      </ProjectGrid>
      <p className="visually-hidden" role="status">
        {projects.length === 1 ? "1 project shown" : `${projects.length} projects shown`}
      </p>
      {query.hasNextPage && (
        <div className={classes.more}>
          {query.isFetchNextPageError && <p role="alert">{projectTexts.loadFailed}</p>}
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            Load more projects
          </Button>
        </div>
      )}
    </>
  );
}
