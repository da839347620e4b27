import { useRef, useState } from "react";
import { can, useViewer } from "#client/lib/session/session.ts";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { DataTable } from "#client/ui/lists/data-table.tsx";
import { type DashboardProject, projectColumns } from "./project-columns.tsx";
import { needsQuestion, ProjectQuestion, type ProjectWish } from "./project-question.tsx";
import { RowActions } from "./row-actions.tsx";
import { useProjectActions } from "./use-project-actions.ts";

type ProjectsTableProps = { projects: readonly DashboardProject[]; isStale: boolean };

const changing = ["projects:edit", "projects:close", "projects:create", "projects:delete"] as const;

/** The rows with what may be done to each, and the question before it is done. */
export function ProjectsTable({ projects, isStale }: ProjectsTableProps) {
  const viewer = useViewer();
  const actions = useProjectActions();
  const [wish, setWish] = useState<ProjectWish | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  // The menu that was chosen from is gone by then: the keyboard goes back to its button.
  const opener = useRef<HTMLElement>(null);
  const mayChange = changing.some((permission) => can(viewer, permission));
  const grant = async ({ kind, project: { id } }: ProjectWish) => {
    // The toast has told of a failure; the question stays, for another try.
    const isDone = await actions[kind](id).then(
      () => true,
      () => false,
    );
    if (isDone) setIsAsking(false);
  };
  const ask = (wanted: ProjectWish) => {
    if (!needsQuestion(wanted)) return void grant(wanted);
    setWish(wanted);
    setIsAsking(true);
  };
  const columns = projectColumns(
    (project) =>
      mayChange ? (
        <RowActions
          project={project}
          isBusy={actions.busyId === project.id}
          onAsk={(kind, button) => {
            opener.current = button;
            ask({ kind, project });
          }}
        />
      ) : (
        <TextLink
          to="/project/$id"
          params={{ id: String(project.id) }}
          preload={false}
          aria-label={`View project: ${project.title}`}
        >
          View project
        </TextLink>
      ),
    can(viewer, "projects:edit"),
  );
  return (
    <>
      <DataTable
        label="Projects"
        columns={columns}
        rows={projects}
        rowKey={(project) => project.id}
        isStale={isStale}
      />
      {wish && (
        <ProjectQuestion
          wish={wish}
          isOpen={isAsking}
          isPending={actions.busyId === wish.project.id}
          onConfirm={() => void grant(wish)}
          onClose={() => setIsAsking(false)}
          onClosed={() => opener.current?.focus()}
        />
      )}
    </>
  );
}
