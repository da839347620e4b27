import { type ReactNode, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { roleInWords } from "#shared/people/team-texts.ts";
import { roleLabels, adminTexts as texts } from "#shared/people/texts.ts";
import classes from "./team.module.css";

export type TeamQuestion =
  | { kind: "deactivate" | "reactivate" | "remove" | "reset" | "unblock" | "end-sessions"; admin: Admin }
  | { kind: "resend" | "delete-invite"; invite: OpenInvite };

type Words = { title: string; text: ReactNode; consequences: ReactNode[]; confirmLabel: string; isDangerous?: boolean };

function wordsOf(question: TeamQuestion): Words {
  if ("invite" in question) {
    const { fullName, email, role } = question.invite;
    if (question.kind === "resend") {
      return {
        title: "Resend Invitation",
        text: `Send ${fullName} a new invitation to join as ${roleInWords[role]}?`,
        consequences: [`A new link goes to ${email} and works for 72 hours.`, "The link sent before stops working."],
        confirmLabel: "Resend Invitation",
      };
    }
    return {
      title: "Delete Invite",
      text: `Delete the invitation of ${fullName} (${email})?`,
      consequences: ["The link in the mail stops working at once.", "You can invite this person again later."],
      confirmLabel: "Delete Invite",
      isDangerous: true,
    };
  }
  const { fullName, email, roles } = question.admin;
  const held = roles.map((role) => roleLabels[role]).join(", ") || "no role";
  switch (question.kind) {
    case "deactivate":
      return {
        title: "Deactivate Admin",
        text: `${fullName} is active. Deactivate this administrator?`,
        consequences: [
          "All administrator rights end at once, and every session of theirs with them.",
          "The account stays and can be used as a backer's.",
          `The roles (${held}) are kept: you can reactivate them later.`,
        ],
        confirmLabel: "Deactivate",
        isDangerous: true,
      };
    case "reactivate":
      return {
        title: "Reactivate Admin",
        text: `${fullName} is deactivated. Make this person an administrator again?`,
        consequences: [`The roles of before come back: ${held}.`, "They have to sign in again."],
        confirmLabel: "Reactivate",
      };
    case "remove":
      return {
        title: "Remove Admin",
        text: `Remove ${fullName} (${email}) from the administrators?`,
        consequences: [
          `All rights and roles (${held}) are taken away, and every session ends.`,
          "The account stays as a backer's. To come back, this person needs a new invitation.",
        ],
        confirmLabel: "Remove Admin",
        isDangerous: true,
      };
    case "reset":
      return {
        title: "Send Password Reset",
        text: `Send ${fullName} a link for a new password?`,
        consequences: [
          `The link goes to ${email}. It works once, within 60 minutes.`,
          "The password of now works until a new one is set.",
        ],
        confirmLabel: "Send Link",
      };
    case "end-sessions":
      return {
        title: "Sign Out Everywhere",
        text: `Sign ${fullName} (${email}) out on every device?`,
        consequences: [
          "Their open pages ask them to sign in again; what they typed and didn't save may be lost.",
          "Rights and roles stay as they are, and they can sign in again at once.",
        ],
        confirmLabel: "Sign Out",
      };
    case "unblock":
      return {
        title: "Unblock User",
        text: `Unblock ${fullName} (${email})?`,
        consequences: ["This person can sign in again."],
        confirmLabel: "Unblock",
      };
  }
}

type TeamQuestionDialogProps = { question: TeamQuestion; isOpen: boolean; onClose: () => void };

/** Asks before anything happens to an administrator or an invitation, and names what follows from it. */
export function TeamQuestionDialog({ question, isOpen, onClose }: TeamQuestionDialogProps) {
  const actions = useTeamActions();
  const [isPending, setIsPending] = useState(false);
  const { title, text, consequences, confirmLabel, isDangerous = false } = wordsOf(question);
  const run = async () => {
    if ("invite" in question) {
      const { id, email, fullName } = question.invite;
      if (question.kind === "resend") await actions.resend.mutateAsync({ email, fullName });
      else await actions.removeInvite.mutateAsync({ inviteId: id });
      return;
    }
    const input = { userId: question.admin.id };
    const run = {
      deactivate: actions.deactivate,
      reactivate: actions.reactivate,
      remove: actions.remove,
      reset: actions.sendPasswordReset,
      unblock: actions.unblock,
      "end-sessions": actions.endSessions,
    }[question.kind];
    await run.mutateAsync(input);
  };
  const confirm = async () => {
    setIsPending(true);
    // The toast has told of a failure; the question stays, for another try.
    await run().then(onClose, () => {});
    setIsPending(false);
  };
  return (
    <LazyConfirmDialog
      opened={isOpen}
      title={title}
      confirmLabel={confirmLabel}
      isDangerous={isDangerous}
      isPending={isPending}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p className={classes.question}>{text}</p>
      <ul className={classes.consequences}>
        {consequences.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are fixed while the question stands.
          <li key={index}>{line}</li>
        ))}
      </ul>
    </LazyConfirmDialog>
  );
}

export type Admin = RouterOutputs["admins"]["list"][number];
export type OpenInvite = RouterOutputs["team"]["listInvites"][number];

/**
 * The actions on an administrator or an invitation, with their texts of success and failure; the tables are fetched
 * again.
 */
function useTeamActions() {
  const utils = trpc.useUtils();
  const how = (done: string, failed: string) => ({
    onSuccess: () => toast.success(done),
    onError: (error: unknown) => toast.error(failed, errorReason(error) === "internal" ? undefined : errorText(error)),
    onSettled: async () => {
      // Also oneself may have changed.
      void utils.auth.viewer.invalidate();
      void utils.users.list.invalidate();
      await Promise.all([utils.admins.invalidate(), utils.team.listInvites.invalidate()]);
    },
  });
  return {
    resend: trpc.team.resendInvite.useMutation(how(texts.inviteResent, texts.resendFailed)),
    removeInvite: trpc.team.removeInvite.useMutation(how(texts.inviteRemoved, texts.removeInviteFailed)),
    deactivate: trpc.admins.deactivate.useMutation(how(texts.deactivated, texts.deactivateFailed)),
    reactivate: trpc.admins.reactivate.useMutation(how(texts.reactivated, texts.reactivateFailed)),
    remove: trpc.admins.remove.useMutation(how(texts.removed, texts.removeFailed)),
    sendPasswordReset: trpc.admins.sendPasswordReset.useMutation(how(texts.resetSent, texts.resetFailed)),
    endSessions: trpc.users.endSessions.useMutation(how(texts.sessionsEnded, texts.endSessionsFailed)),
    unblock: trpc.users.unblock.useMutation(how(texts.unblocked, texts.unblockFailed)),
  };
}
