import { Button } from "@mantine/core";
import { IconMailForward, IconTrash, IconUserCog, IconUserMinus, IconUserPlus } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { type Column, DataTable } from "#client/ui/lists/data-table.tsx";
import { type RowAction, RowMenu } from "#client/ui/lists/row-menu.tsx";
import { formatDate } from "#shared/dates.ts";
import { farmRoleInWords, farmRoleSummaries } from "#shared/farms/people-texts.ts";
import { type FarmRole, farmRoleLabels } from "#shared/farms/texts.ts";
import type { Farm } from "./farm-values.ts";
import classes from "./farms.module.css";

const InviteDialog = lazyDialog(() => import("./invite-dialog.tsx"));

type Person = Farm["people"][number];
type Invite = Farm["invites"][number];
type Row = { kind: "person"; person: Person } | { kind: "invite"; invite: Invite };

type Question =
  | { kind: "role"; person: Person; role: FarmRole }
  | { kind: "end"; person: Person }
  | { kind: "resend" | "revoke"; invite: Invite };

const icon = { size: 16, "aria-hidden": true } as const;
const nameOf = (row: Row) => (row.kind === "person" ? (row.person.fullName ?? "Closed account") : row.invite.fullName);
const otherRole: Record<FarmRole, FarmRole> = { reporter: "keeper", keeper: "reporter" };

function actionsOf(row: Row, onAsk: (question: Question) => void): RowAction[] {
  if (row.kind === "invite") {
    const { invite } = row;
    return [
      {
        label: "Send Again",
        icon: <IconMailForward {...icon} />,
        onChoose: () => onAsk({ kind: "resend", invite }),
      },
      {
        label: "Take Back",
        icon: <IconTrash {...icon} />,
        onChoose: () => onAsk({ kind: "revoke", invite }),
        isDangerous: true,
      },
    ];
  }
  const { person } = row;
  if (person.endedAt) return [];
  const role = otherRole[person.role];
  return [
    {
      label: `Make ${farmRoleLabels[role]}`,
      icon: <IconUserCog {...icon} />,
      onChoose: () => onAsk({ kind: "role", person, role }),
    },
    {
      label: "End Work",
      icon: <IconUserMinus {...icon} />,
      onChoose: () => onAsk({ kind: "end", person }),
      isDangerous: true,
    },
  ];
}

const columnsFor = (onAsk: (question: Question) => void): Column<Row>[] => [
  { header: "Name", inCard: "head", render: (row) => <span className={classes.name}>{nameOf(row)}</span> },
  { header: "Email", render: (row) => (row.kind === "person" ? row.person.email : row.invite.email) },
  {
    header: "Does",
    width: "8rem",
    render: (row) => farmRoleLabels[row.kind === "person" ? row.person.role : row.invite.role],
  },
  { header: "Status", width: "11rem", render: (row) => <Status row={row} /> },
  {
    header: "Since",
    width: "8rem",
    render: (row) => {
      const { createdAt } = row.kind === "person" ? row.person : row.invite;
      return <time dateTime={createdAt.toISOString()}>{formatDate(createdAt)}</time>;
    },
  },
  {
    header: "Actions",
    width: "8.5rem",
    inCard: "wide",
    render: (row) => {
      const actions = actionsOf(row, onAsk);
      if (actions.length === 0) return <span className={classes.fine}>None</span>;
      return <RowMenu subject={nameOf(row)} actions={actions} isBusy={false} />;
    },
  },
];

function Status({ row }: { row: Row }) {
  if (row.kind === "invite") {
    return (
      <span className={classes.badges}>
        <StatusBadge tone="waiting">Invited</StatusBadge>
        {row.invite.isExpired && <span className={classes.fine}>Link expired</span>}
      </span>
    );
  }
  const { endedAt } = row.person;
  if (endedAt) return <StatusBadge tone="neutral">Ended {formatDate(endedAt)}</StatusBadge>;
  return <StatusBadge tone="positive">Active</StatusBadge>;
}

/** Who reports for the farm, who was invited, and who did. */
export function FarmPeople({ farm }: { farm: Farm }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  // The dialog's code is fetched when it is first wanted, and it stays to close in its own time.
  const [isInviteWanted, setIsInviteWanted] = useState(false);
  const [isInviting, setIsInviting] = useState(false);
  const columns = columnsFor((next) => {
    setQuestion(next);
    setIsAsking(true);
  });
  const isActive = (person: Person) => person.endedAt === null;
  const rows: Row[] = [
    ...farm.people.filter(isActive).map((person) => ({ kind: "person" as const, person })),
    ...farm.invites.map((invite) => ({ kind: "invite" as const, invite })),
    ...farm.people.filter((person) => !isActive(person)).map((person) => ({ kind: "person" as const, person })),
  ];
  return (
    <SectionCard
      title="People"
      text="They report from the field, for this farm alone. They are no administrators: they see no backer, no payment and no other farm."
      aside={
        !farm.closedAt && (
          <Button
            size="sm"
            leftSection={<IconUserPlus {...icon} />}
            onClick={() => {
              setIsInviteWanted(true);
              setIsInviting(true);
            }}
          >
            Invite Person
          </Button>
        )
      }
    >
      {rows.length === 0 ? (
        <p className={classes.none}>Nobody yet: no report can come from the farm until somebody is invited.</p>
      ) : (
        <DataTable
          label="People of the farm"
          columns={columns}
          rows={rows}
          rowKey={(row) => (row.kind === "person" ? `person ${row.person.id}` : `invite ${row.invite.id}`)}
        />
      )}
      {question && <QuestionDialog question={question} isOpen={isAsking} onClose={() => setIsAsking(false)} />}
      <Suspense>
        {isInviteWanted && <InviteDialog farm={farm} isOpen={isInviting} onClose={() => setIsInviting(false)} />}
      </Suspense>
    </SectionCard>
  );
}

function wordsOf(question: Question) {
  switch (question.kind) {
    case "resend":
      return {
        title: "Send Invitation Again",
        text: `A new link goes to ${question.invite.email} and works for 72 hours. The link sent before stops working.`,
      };
    case "revoke":
      return {
        title: "Take Back Invitation",
        text: `The link that ${question.invite.fullName} got stops working at once. You can invite them again later.`,
      };
    case "role":
      return {
        title: `Make ${farmRoleLabels[question.role]}`,
        text: `${question.person.fullName ?? "This person"} becomes ${farmRoleInWords[question.role]} at once. ${farmRoleSummaries[question.role]}`,
      };
    case "end":
      return {
        title: "End Work",
        text: `${question.person.fullName ?? "This person"} can do nothing for this farm any more, from now on. What they reported stays, and so does their account.`,
      };
  }
}

/** Asks before anything happens to a person or an invitation. */
function QuestionDialog({ question, isOpen, onClose }: { question: Question; isOpen: boolean; onClose: () => void }) {
  const utils = trpc.useUtils();
  const how = (done: string, failed: string) => ({
    onSuccess: () => {
      toast.success(done);
      onClose();
    },
    onError: (error: unknown) => toast.error(failed, errorReason(error) === "internal" ? undefined : errorText(error)),
    onSettled: () => utils.farms.invalidate(),
  });
  const resend = trpc.farms.resendInvite.useMutation(how("Invitation sent again", "The invitation could not be sent"));
  const revoke = trpc.farms.revokeInvite.useMutation(
    how("Invitation taken back", "The invitation could not be taken back"),
  );
  const changeRole = trpc.farms.changeRole.useMutation(how("Saved", "This could not be changed"));
  const end = trpc.farms.endPerson.useMutation(how("Their work for the farm has ended", "This could not be ended"));
  const run = () => {
    if ("invite" in question) {
      (question.kind === "resend" ? resend : revoke).mutate({ inviteId: question.invite.id });
    } else if (question.kind === "role") changeRole.mutate({ personId: question.person.id, role: question.role });
    else end.mutate({ personId: question.person.id });
  };
  const { title, text } = wordsOf(question);
  return (
    <LazyConfirmDialog
      opened={isOpen}
      title={title}
      confirmLabel={title}
      isDangerous={question.kind === "revoke" || question.kind === "end"}
      isPending={[resend, revoke, changeRole, end].some(({ isPending }) => isPending)}
      onConfirm={run}
      onClose={onClose}
    >
      {text}
    </LazyConfirmDialog>
  );
}
