import { Button, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { storeAdminFlag } from "#client/lib/session/admin-flag.ts";
import { announceSession } from "#client/lib/session/session-channel.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { type InviteFault as Fault, inviteFaultTexts, inviteHours } from "#shared/people/team-texts.ts";
import { SupportLink } from "./support-link.tsx";

/** Signs out and stays here, so that the invitation can be accepted. */
export function SignOutStep() {
  const utils = trpc.useUtils();
  const signOut = trpc.auth.signOut.useMutation({
    onSuccess: () => {
      storeAdminFlag(false);
      utils.auth.viewer.setData(undefined, null);
      announceSession("signed-out");
    },
    onError: () => toast.error("Failed to sign out. Please try again."),
  });
  return (
    <Stack gap="sm">
      <Button fullWidth loading={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out and continue
      </Button>
      <LinkButton to="/" variant="default" fullWidth>
        Stay signed in
      </LinkButton>
    </Stack>
  );
}

const askAgain = "Ask the person who invited you to send it again.";

const advice: Record<Exclude<Fault, "withdrawn">, ReactNode> = {
  expired: `An invitation works for ${inviteHours} hours. ${askAgain}`,
  used: (
    <>
      If it was you, your account is ready: sign in. If it wasn't, write to <SupportLink /> at once.
    </>
  ),
  replaced: "Only the link in the latest invitation mail works. Look for it in your inbox, and in the spam folder.",
  unknown: `It may be incomplete, or the invitation was removed. Open the whole link from your mail. If that doesn't help: ${askAgain.charAt(0).toLowerCase()}${askAgain.slice(1)}`,
};

type InviteFaultProps = {
  fault: Fault;
  /** The advice for an invitation that was withdrawn. */
  withdrawn: string;
  /** Where whoever has accepted it goes on. */
  signIn: "/login" | "/admin/login";
};

/** A link that leads nowhere: why, and what to do. */
export function InviteFault({ fault, withdrawn, signIn }: InviteFaultProps) {
  return (
    <ErrorState
      level={1}
      title={inviteFaultTexts[fault].replace(/\.$/, "")}
      text={fault === "withdrawn" ? withdrawn : advice[fault]}
      action={
        fault === "used" ? (
          <LinkButton to={signIn}>Sign In</LinkButton>
        ) : (
          <LinkButton to="/" variant="default">
            Go to the home page
          </LinkButton>
        )
      }
    />
  );
}
