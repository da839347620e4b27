import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { adminTexts as texts } from "#shared/admin-texts.ts";

export type Admin = RouterOutputs["admins"]["list"][number];
export type OpenInvite = RouterOutputs["team"]["listInvites"][number];

/** What can be done to an administrator or an invitation, in the words of success and failure; the tables look again. */
export function useTeamActions() {
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
