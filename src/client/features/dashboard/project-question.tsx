import type { ReactNode } from "react";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import classes from "./dashboard.module.css";

export type QuestionKind = "close" | "reopen" | "clone" | "delete";
type DashboardProject = RouterOutputs["dashboard"]["projects"]["items"][number];
/** An act on a project that the person has to confirm first. */
export type PendingProjectAct = {
  kind: QuestionKind;
  project: Pick<DashboardProject, "id" | "title" | "currentFundingKobo">;
};

type Question = { title: string; confirmLabel: string; ask: (name: ReactNode) => ReactNode; consequences: string[] };

const questions: Record<QuestionKind, Question> = {
  close: {
    title: "Close Project",
    confirmLabel: "Close Project",
    ask: (name) => <>Close {name} to new backers?</>,
    consequences: [
      "Nobody new can back it, and its page says that it is closed.",
      "Its backers are told by email. They keep their page and the updates.",
      "Who has its bank details already can still send a receipt.",
      "You can reopen it at any time.",
    ],
  },
  reopen: {
    title: "Reopen Project",
    confirmLabel: "Reopen Project",
    ask: (name) => <>{name} was sold: a payment for it is approved. Offer it again?</>,
    consequences: [
      "Another backer can pay for it. Its funding starts again at ₦0.",
      "Whoever paid stays its backer. The payment stays approved, and the ledger as it is.",
      "Its backers are told by email.",
      "Where its time has run out, it gets 30 days.",
    ],
  },
  clone: {
    title: "Clone Project",
    confirmLabel: "Clone Project",
    ask: (name) => <>Make a copy of {name}?</>,
    consequences: [
      "The copy is public at once and can be backed, with “ (Clone)” behind its title.",
      "It takes over text, picture, goal, rewards and the days left, or 30 where none are left.",
      "Updates, photos, messages, backers and payments stay with the original.",
    ],
  },
  delete: {
    title: "Delete Project",
    confirmLabel: "Delete",
    ask: (name) => <>Are you sure you want to delete {name}? This action cannot be undone.</>,
    consequences: [
      "Its updates, messages, photos, videos and favourites go, and its backers lose their page.",
      "Payments, receipts and the ledger stay. Whoever waits for a decision is owed a refund.",
    ],
  },
};

/** Sold: a payment of this round is approved. Reopening one that isn't takes nothing back, so nothing is asked. */
export const needsQuestion = ({ kind, project }: PendingProjectAct): boolean =>
  kind !== "reopen" || project.currentFundingKobo > 0n;

type ProjectQuestionProps = {
  /** Stays while the dialog closes. */
  wish: PendingProjectAct;
  isOpen: boolean;
  isPending: boolean;
  onConfirm: () => void;
  onClose: () => void;
  onClosed: () => void;
};

/** Asks before a project is changed, and says what follows. */
export function ProjectQuestion({ wish, isOpen, isPending, onConfirm, onClose, onClosed }: ProjectQuestionProps) {
  const { title, confirmLabel, ask, consequences } = questions[wish.kind];
  const isDeletion = wish.kind === "delete";
  // Where it can't be told the server still decides.
  const deletion = trpc.projects.deletion.useQuery(
    { projectId: wish.project.id },
    { enabled: isOpen && isDeletion, staleTime: 0 },
  );
  return (
    <LazyConfirmDialog
      opened={isOpen}
      title={title}
      confirmLabel={confirmLabel}
      isDangerous={isDeletion}
      refusal={isDeletion ? deletion.data?.refusal : null}
      isPending={isPending}
      onConfirm={onConfirm}
      onClose={onClose}
      onClosed={onClosed}
    >
      <p className={classes.question}>{ask(`"${wish.project.title}"`)}</p>
      <ul className={classes.consequences}>
        {consequences.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </LazyConfirmDialog>
  );
}
