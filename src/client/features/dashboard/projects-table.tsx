import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Menu } from "@mantine/core";
import {
  IconAlarm,
  IconChevronDown,
  IconCopy,
  IconEdit,
  IconEye,
  IconLock,
  IconLockOpen,
  IconTrash,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useRef, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { can, useViewer } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { type Column, DataTable } from "#client/ui/lists/data-table.tsx";
import { type WaitingMoney, waitingTexts } from "#shared/dashboard/waiting-texts.ts";
import { errorTexts } from "#shared/errors.ts";
import { formatNaira } from "#shared/money.ts";
import { categoryName } from "#shared/projects/categories.ts";
import { lotsTaken } from "#shared/projects/texts.ts";
import classes from "./dashboard.module.css";
import { needsQuestion, type PendingProjectAct, ProjectQuestion, type QuestionKind } from "./project-question.tsx";
import { tabOfWaiting, useWaitingMoney } from "./waiting-money.ts";

type ProjectsTableProps = { projects: readonly DashboardProject[]; isStale: boolean };

const changing = ["projects:edit", "projects:close", "projects:create", "projects:delete"] as const;

/** The rows with what may be done to each, and the question before it is done. */
export function ProjectsTable({ projects, isStale }: ProjectsTableProps) {
  const viewer = useViewer();
  const actions = useProjectActions();
  const [wish, setWish] = useState<PendingProjectAct | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  // The menu that was chosen from is gone by then: the keyboard goes back to its button.
  const opener = useRef<HTMLElement>(null);
  const waiting = useWaitingMoney();
  const mayChange = changing.some((permission) => can(viewer, permission));
  const grant = async ({ kind, project: { id } }: PendingProjectAct) => {
    // The toast has told of a failure; the question stays, for another try.
    const isDone = await actions[kind](id).then(
      () => true,
      () => false,
    );
    if (isDone) setIsAsking(false);
  };
  const ask = (wanted: PendingProjectAct) => {
    if (!needsQuestion(wanted)) return void grant(wanted);
    setWish(wanted);
    setIsAsking(true);
  };
  const columns = projectColumns(
    (project) =>
      mayChange ? (
        <RowActions
          project={project}
          waiting={waiting.filter(({ projectId }) => projectId === project.id)}
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

type DashboardProject = RouterOutputs["dashboard"]["projects"]["items"][number];

/**
 * The columns of the dashboard's table; `actions` gives what stands in the last one. Who may edit projects gets to their
 * management by the title.
 */
export const projectColumns = (
  actions: (project: DashboardProject) => ReactNode = () => null,
  mayEdit = false,
): readonly Column<DashboardProject>[] => [
  {
    header: "Title",
    inCard: "head",
    render: ({ id, title, isClosed }) => (
      <span className={classes.title}>
        {mayEdit ? (
          <TextLink to="/project-updates/$id" params={{ id: String(id) }} preload={false} fw={700}>
            {title}
          </TextLink>
        ) : (
          <strong>{title}</strong>
        )}
        {isClosed && <StatusBadge tone="closed">CLOSED</StatusBadge>}
      </span>
    ),
  },
  { header: "Category", width: "10.5rem", render: ({ category }) => categoryName(category) },
  { header: "Creator", width: "10rem", render: ({ creator }) => creator },
  { header: "Backer", width: "9rem", render: ({ backerName }) => backerName ?? <NoBacker /> },
  { header: "Goal", width: "8rem", align: "end", render: ({ fundingGoalKobo }) => <Money kobo={fundingGoalKobo} /> },
  {
    header: "Current",
    width: "9.5rem",
    align: "end",
    render: (project) => (
      <span className={classes.current}>
        <Money kobo={project.currentFundingKobo} />
        <span className={classes.lots}>{lotsTaken(project)}</span>
      </span>
    ),
  },
  {
    header: "Actions",
    width: "8rem",
    inCard: "wide",
    render: actions,
  },
];

function Money({ kobo }: { kobo: bigint }) {
  return <span className="money">{formatNaira(kobo)}</span>;
}

function NoBacker() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">No backer</span>
    </>
  );
}

type RowActionsProps = {
  project: DashboardProject;
  /** The project's money that waits for the viewer. */
  waiting: readonly WaitingMoney[];
  isBusy: boolean;
  onAsk: (kind: QuestionKind, button: HTMLElement | null) => void;
};

/** Each kind of act once, whatever the number of harvests that wait for it. */
function waitingActs(waiting: readonly WaitingMoney[]) {
  const acts = new Map(waiting.map((one) => [one.kind, tabOfWaiting(one)]));
  return [...acts].map(([kind, tab]) => ({ kind, tab }));
}

/** The person's actions on the project. */
function RowActions({ project, waiting, isBusy, onAsk }: RowActionsProps) {
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
        {waitingActs(waiting).map(({ kind, tab }) => (
          <Menu.Item
            key={kind}
            leftSection={<IconAlarm size={16} aria-hidden="true" />}
            renderRoot={(props) => (
              <Link to="/project-updates/$id" params={params} search={{ tab }} preload={false} {...props} />
            )}
          >
            {waitingTexts.act[kind]}
          </Menu.Item>
        ))}
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

/** The actions on a row, with their texts of success and failure. The table is fetched again after each. */
function useProjectActions() {
  const utils = trpc.useUtils();
  /** Tells a failure. Where the right was lost meanwhile, the viewer is fetched again, and the buttons go. */
  const fail = (error: unknown, verb: string, title: string, text?: string) => {
    if (errorReason(error) === "forbidden" && errorText(error) === errorTexts.adminRequired) {
      toast.error("Access Denied", `You don't have permission to ${verb} projects`);
      void utils.auth.viewer.invalidate();
    } else toast.error(title, text);
  };
  /** A finished action is pending until the table shows it; a failed one can be tried again, or left, at once. */
  const onSettled = (_: unknown, error: unknown) => {
    void utils.projects.invalidate();
    const shown = utils.dashboard.invalidate();
    return error ? undefined : shown;
  };
  const statusOptions = (verb: string, done: string) => ({
    onSuccess: () => toast.success(done),
    onError: (error: unknown) => fail(error, verb, "Failed to update project status", errorText(error)),
    onSettled,
  });
  const close = trpc.projects.close.useMutation(statusOptions("close", "Project closed successfully"));
  const reopen = trpc.projects.reopen.useMutation(statusOptions("close", "Project reopened successfully"));
  /** By project, until it is known what came of it: a clone that is asked for again after a lost answer is the same one. */
  const cloneKeys = useRef(new Map<number, string>());
  const clone = trpc.projects.clone.useMutation({
    onSuccess: ({ title }, { projectId }) => {
      cloneKeys.current.delete(projectId);
      toast.success("Project cloned successfully", title);
    },
    onError: (error) => fail(error, "clone", `Failed to clone project: ${errorText(error)}`),
    onSettled,
  });
  const keyOfClone = (projectId: number): string => {
    const key = cloneKeys.current.get(projectId) ?? crypto.randomUUID();
    cloneKeys.current.set(projectId, key);
    return key;
  };
  const remove = trpc.projects.delete.useMutation({
    onSuccess: () => toast.success("Project deleted successfully"),
    onError: (error) => fail(error, "delete", `Failed to delete project: ${errorText(error)}`),
    onSettled,
  });
  const running = [close, reopen, clone, remove].find(({ isPending }) => isPending);
  return {
    close: (projectId: number) => close.mutateAsync({ projectId }),
    reopen: (projectId: number) => reopen.mutateAsync({ projectId }),
    clone: (projectId: number) => clone.mutateAsync({ projectId, idempotencyKey: keyOfClone(projectId) }),
    delete: (projectId: number) => remove.mutateAsync({ projectId }),
    /** The project that something is being done to. */
    busyId: running?.variables?.projectId ?? null,
  };
}
