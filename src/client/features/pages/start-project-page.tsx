import { can, type Viewer } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import classes from "./pages.module.css";

/** A start button for administrators; anyone else learns that it isn't for them, once the server has said who it is. */
export function StartProjectPage() {
  const query = trpc.auth.viewer.useQuery();
  const { data: viewer, error } = query;
  if (viewer === undefined && error) {
    return <LoadFailed query={query} level={1} title="This page could not be loaded" />;
  }
  if (viewer === undefined) {
    return (
      <Loading>
        <div className={classes.waiting}>
          <Skeleton width="17.5rem" height="13.125rem" radius="1rem" />
          <Skeleton width="14rem" height="1.75rem" />
          <Skeleton width="20rem" height="1rem" />
          <Skeleton width="9rem" height="2.625rem" />
        </div>
      </Loading>
    );
  }
  return viewer?.isAdmin ? <ForAdministrators viewer={viewer} /> : <ForOthers />;
}

function ForAdministrators({ viewer }: { viewer: Viewer }) {
  // Who must first set up a second factor has no rights yet: the next page leads there.
  const mayStart = can(viewer, "projects:create") || viewer.mustSetUpTwoFactor;
  return mayStart ? (
    <EmptyState
      level={1}
      picture="/art/empty-projects.svg"
      title="Start a project"
      text="Have the farm's costs, its risks and at least one good picture at hand. Everything can be edited later."
      action={
        <LinkButton to="/create-project" size="lg">
          Start a project
        </LinkButton>
      }
    />
  ) : (
    <EmptyState
      level={1}
      picture="/art/locked.svg"
      title="Start a project"
      text="Your role lets you view projects but not create them. An owner can give you the manager role."
      action={<LinkButton to="/admin/dashboard">Go to the dashboard</LinkButton>}
    />
  );
}

function ForOthers() {
  return (
    <EmptyState
      level={1}
      picture="/art/locked.svg"
      title="Start a project"
      text="Project creation is restricted to administrators."
      action={
        <div className={classes.ways}>
          <LinkButton to="/discover">Discover projects</LinkButton>
          <LinkButton to="/creator-resources" variant="default">
            I run a farm
          </LinkButton>
        </div>
      }
    />
  );
}
