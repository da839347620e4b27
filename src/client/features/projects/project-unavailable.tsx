import { errorReason, errorText } from "#client/lib/errors.ts";
import { EmptyState, ErrorState } from "#client/ui/feedback/message-state.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { projectTexts } from "#shared/projects/texts.ts";
import classes from "./project-card.module.css";

/** There is no such project. */
export function ProjectNotFound() {
  return (
    <EmptyState
      level={1}
      picture="/art/not-found.svg"
      title={projectTexts.notFoundTitle}
      text={projectTexts.notFound}
      action={<LinkButton to="/discover">Browse Projects</LinkButton>}
    />
  );
}

type ProjectUnavailableProps = { error: unknown; path: string; onRetry: () => void; isRetrying: boolean };

/** Says why the project can't be shown: gone, for signed-in people only, or the server wasn't reached. */
export function ProjectUnavailable({ error, path, onRetry, isRetrying }: ProjectUnavailableProps) {
  const reason = errorReason(error);
  if (reason === "not_found" || reason === "invalid") return <ProjectNotFound />;
  if (reason === "unauthenticated") {
    return (
      <EmptyState
        level={1}
        picture="/art/locked.svg"
        title={projectTexts.signInTitle}
        text={projectTexts.signInToView}
        action={
          <div className={classes.ways}>
            <LinkButton to="/login" search={{ next: path }}>
              Sign In
            </LinkButton>
            <LinkButton to="/discover" variant="default">
              Browse Projects
            </LinkButton>
          </div>
        }
      />
    );
  }
  // The specification titles every failed load so; the sentence tells what really happened.
  return (
    <ErrorState
      level={1}
      title={projectTexts.notFoundTitle}
      text={errorText(error)}
      onRetry={onRetry}
      isRetrying={isRetrying}
    />
  );
}
