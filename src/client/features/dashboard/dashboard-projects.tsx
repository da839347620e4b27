import "#client/ui/mantine/fields.css";
import { NativeSelect } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { errorReason } from "#client/lib/errors.ts";
import { formatCount } from "#client/lib/format.ts";
import { can, useViewer } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { EmptyState, ErrorState } from "#client/ui/feedback/message-state.tsx";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent, MoreRows, RefreshButton } from "#client/ui/lists/list-page.tsx";
import { dashboardSortLabels, dashboardSorts } from "#shared/projects/texts.ts";
import classes from "./dashboard.module.css";
import type { DashboardSearch } from "./dashboard-search.ts";
import { ProjectsTable, projectColumns } from "./projects-table.tsx";

const skeletonColumns = projectColumns();
const loadFailed = "Failed to load projects. Please try again.";
/** Beside rows that are there already. */
const moreFailed = (error: unknown) => (errorReason(error) === "network" ? "Unable to load projects..." : loadFailed);

type DashboardProjectsProps = {
  filters: DashboardSearch;
  /** Undefined takes a filter away. */
  onChange: (changed: DashboardSearch) => void;
};

/** All projects as a table, searched and sorted by the server, a page at a time. */
export function DashboardProjects({ filters, onChange }: DashboardProjectsProps) {
  const { search = "", sort = "title" } = filters;
  const query = trpc.dashboard.projects.useInfiniteQuery(
    { search, sort },
    {
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: keepPreviousData,
      staleTime: 0,
    },
  );
  const utils = trpc.useUtils();
  const mayCreate = can(useViewer(), "projects:create");
  const projects = query.data?.pages.flatMap((page) => page.items);
  if (!projects && errorReason(query.error) === "network") return <NetworkError />;
  return (
    <section className={classes.section} aria-labelledby="projects-heading">
      <div className={classes.head}>
        <h2 id="projects-heading" className={classes.heading}>
          Projects
        </h2>
        <div className={classes.buttons}>
          <RefreshButton query={query} onClick={() => void utils.dashboard.invalidate()} />
          {mayCreate && (
            <LinkButton to="/create-project" size="sm" leftSection={<IconPlus size={16} aria-hidden="true" />}>
              Create New Project
            </LinkButton>
          )}
        </div>
      </div>
      <div className={classes.filters}>
        <div className={classes.search}>
          <SearchField
            label="Search projects"
            placeholder="Search by title or backer..."
            value={search}
            onChange={(text) => onChange({ search: text || undefined })}
          />
        </div>
        <NativeSelect
          className={classes.sort}
          aria-label="Sort by"
          value={sort}
          data={dashboardSorts.map((name) => ({ value: name, label: dashboardSortLabels[name] }))}
          onChange={({ currentTarget }) => {
            const chosen = dashboardSorts.find((name) => name === currentTarget.value);
            onChange({ sort: chosen === "title" ? undefined : chosen });
          }}
        />
      </div>
      <ListContent
        query={query}
        rows={projects}
        loading={<DataTableSkeleton label="Loading projects" columns={skeletonColumns} />}
        failure={moreFailed(query.error)}
        failed={<ErrorState title={loadFailed} onRetry={() => void query.refetch()} isRetrying={query.isRefetching} />}
        empty={
          <>
            <ProjectsTable projects={[]} isStale={false} />
            <NothingFound isSearch={search !== ""} mayCreate={mayCreate} />
          </>
        }
        foot={
          query.hasNextPage && <MoreRows query={query} label="Load more projects" failure={moreFailed(query.error)} />
        }
      >
        {(rows) => <ProjectsTable projects={rows} isStale={query.isPlaceholderData} />}
      </ListContent>
      {projects && (
        <p className="visually-hidden" role="status">
          {formatCount(projects.length, "project")} shown
        </p>
      )}
    </section>
  );
}

function NothingFound({ isSearch, mayCreate }: { isSearch: boolean; mayCreate: boolean }) {
  if (isSearch) return <p className={classes.none}>No projects found matching your search</p>;
  return (
    <EmptyState
      picture="/art/empty-projects.svg"
      title="No projects found"
      action={mayCreate && <LinkButton to="/create-project">Create Your First Project</LinkButton>}
    />
  );
}

/** The server was not reached: a whole new start is the one thing to try. */
export function NetworkError() {
  return (
    <ErrorState
      title="Network Error"
      text={
        <>
          Unable to load projects...
          <br />
          Unable to connect to the server. Please check your connection.
        </>
      }
      retryLabel="Refresh Page"
      onRetry={() => window.location.reload()}
    />
  );
}
