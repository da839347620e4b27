import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconCopy, IconEdit, IconEye, IconLock, IconLockOpen, IconTrash } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { can, useViewer } from "#client/lib/session.ts";
import classes from "./dashboard.module.css";
import type { DashboardProject } from "./project-columns.tsx";
import type { ProjectActions } from "./use-project-actions.ts";

type RowActionsProps = { project: DashboardProject; actions: ProjectActions; onDelete: () => void };

/** What this person may do to the project. */
export function RowActions({ project, actions, onDelete }: RowActionsProps) {
  const viewer = useViewer();
  const { id, title, isClosed } = project;
  const params = { id: String(id) };
  return (
    <Menu position="bottom-end" width={200} withinPortal classNames={{ item: classes.menuItem }}>
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          loading={actions.busyId === id}
          rightSection={<IconChevronDown size={16} aria-hidden="true" />}
          aria-label={`Actions for ${title}`}
        >
          Actions
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={`Actions for ${title}`}>
        <Menu.Item
          leftSection={<IconEye size={16} aria-hidden="true" />}
          renderRoot={(props) => <Link to="/project/$id" params={params} preload={false} {...props} />}
        >
          View project
        </Menu.Item>
        {can(viewer, "projects:edit") && (
          <Menu.Item
            leftSection={<IconEdit size={16} aria-hidden="true" />}
            renderRoot={(props) => <Link to="/edit-project/$id" params={params} preload={false} {...props} />}
          >
            Edit
          </Menu.Item>
        )}
        {can(viewer, "projects:close") &&
          (isClosed ? (
            <Menu.Item leftSection={<IconLockOpen size={16} aria-hidden="true" />} onClick={() => actions.reopen(id)}>
              Reopen
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconLock size={16} aria-hidden="true" />} onClick={() => actions.close(id)}>
              Close
            </Menu.Item>
          ))}
        {can(viewer, "projects:create") && (
          <Menu.Item leftSection={<IconCopy size={16} aria-hidden="true" />} onClick={() => actions.clone(id)}>
            Clone
          </Menu.Item>
        )}
        {can(viewer, "projects:delete") && (
          <>
            <Menu.Divider />
            <Menu.Item data-danger leftSection={<IconTrash size={16} aria-hidden="true" />} onClick={onDelete}>
              Delete
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
