import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconCopy, IconEdit, IconEye, IconLock, IconLockOpen, IconTrash } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { can, useViewer } from "#client/lib/session/session.ts";
import classes from "./dashboard.module.css";
import type { DashboardProject } from "./project-columns.tsx";
import type { QuestionKind } from "./project-question.tsx";

type RowActionsProps = {
  project: DashboardProject;
  isBusy: boolean;
  onAsk: (kind: QuestionKind, button: HTMLElement | null) => void;
};

/** What this person may do to the project. */
export function RowActions({ project, isBusy, onAsk }: RowActionsProps) {
  const viewer = useViewer();
  const { id, title, isClosed } = project;
  const params = { id: String(id) };
  const button = useRef<HTMLButtonElement>(null);
  const ask = (kind: QuestionKind) => onAsk(kind, button.current);
  return (
    <Menu position="bottom-end" width={200} withinPortal classNames={{ item: classes.menuItem }}>
      <Menu.Target>
        <Button
          ref={button}
          variant="default"
          size="sm"
          loading={isBusy}
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
            <Menu.Item leftSection={<IconLockOpen size={16} aria-hidden="true" />} onClick={() => ask("reopen")}>
              Reopen
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconLock size={16} aria-hidden="true" />} onClick={() => ask("close")}>
              Close
            </Menu.Item>
          ))}
        {can(viewer, "projects:create") && (
          <Menu.Item leftSection={<IconCopy size={16} aria-hidden="true" />} onClick={() => ask("clone")}>
            Clone
          </Menu.Item>
        )}
        {can(viewer, "projects:delete") && (
          <>
            <Menu.Divider />
            <Menu.Item
              data-danger
              leftSection={<IconTrash size={16} aria-hidden="true" />}
              onClick={() => ask("delete")}
            >
              Delete
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
