import { useState } from "react";
import { can, useViewer } from "#client/lib/session.ts";
import { DataTable } from "#client/ui/data-table.tsx";
import { LazyConfirmDialog } from "#client/ui/lazy-confirm-dialog.tsx";
import { TextLink } from "#client/ui/text-link.tsx";
import classes from "./dashboard.module.css";
import { type DashboardProject, projectColumns } from "./project-columns.tsx";
import { RowActions } from "./row-actions.tsx";
import { useProjectActions } from "./use-project-actions.ts";

type ProjectsTableProps = { projects: readonly DashboardProject[]; isStale: boolean };

const changing = ["projects:edit", "projects:close", "projects:create", "projects:delete"] as const;

/** The rows with what may be done to each, and the question before one is deleted. */
export function ProjectsTable({ projects, isStale }: ProjectsTableProps) {
  const viewer = useViewer();
  const actions = useProjectActions();
  const [doomed, setDoomed] = useState<DashboardProject | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const mayChange = changing.some((permission) => can(viewer, permission));
  const remove = async () => {
    if (!doomed) return;
    // The toast has told of a failure; the question stays, for another try.
    const isDone = await actions.remove({ projectId: doomed.id }).then(
      () => true,
      () => false,
    );
    if (isDone) setIsAsking(false);
  };
  const columns = projectColumns(
    (project) =>
      mayChange ? (
        <RowActions
          project={project}
          actions={actions}
          onDelete={() => {
            setDoomed(project);
            setIsAsking(true);
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
      <LazyConfirmDialog
        opened={isAsking}
        title="Delete Project"
        confirmLabel="Delete"
        isDangerous
        isPending={actions.isRemoving}
        onConfirm={() => void remove()}
        onClose={() => setIsAsking(false)}
      >
        <p className={classes.question}>
          Are you sure you want to delete "{doomed?.title}"? This action cannot be undone.
        </p>
        <ul className={classes.consequences}>
          <li>Its updates, messages, photos, videos and favourites go, and its backers lose their page.</li>
          <li>Payments, receipts and the ledger stay. Whoever waits for a decision is owed a refund.</li>
        </ul>
      </LazyConfirmDialog>
    </>
  );
}
