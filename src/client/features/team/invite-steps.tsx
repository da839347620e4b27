import { Button, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { storeAdminFlag } from "#client/lib/session/admin-flag.ts";
import { announceSession } from "#client/lib/session/session-channel.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { SupportLink } from "#client/shared-parts/support-link.tsx";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import {
  type InviteFault as Fault,
  inviteFaultTexts,
  inviteHours,
  inviteTexts,
  roleInWords,
} from "#shared/people/team-texts.ts";
import type { ValidInvite } from "./use-invite.ts";

/** What the card above the form says. */
export function describeInvite({ step, email, role }: ValidInvite, viewerEmail: string | undefined) {
  switch (step) {
    case "set-up":
      return {
        title: "Set up your admin account",
        text: `You are invited as ${roleInWords[role]}. Choose a password to begin.`,
      };
    case "accept":
      return { title: "Accept your invitation", text: `${email} is invited as ${roleInWords[role]}.` };
    case "sign-in":
      return {
        title: "Sign in to accept",
        text: `${email} has an account already. Sign in to it, and you come back to the invitation.`,
      };
    case "sign-out":
      return {
        title: "This invitation is for another address",
        text: `It was sent to ${email}, but you are signed in as ${viewerEmail ?? "somebody else"}. Sign out to go on with it.`,
      };
  }
}

export function SignInStep() {
  return (
    <LinkButton to="/login" search={{ next: "/admin/setup-account" }} fullWidth>
      Sign In
    </LinkButton>
  );
}

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

type AcceptStepProps = {
  token: string;
  onAccepted: (answer: { needsCode: boolean }) => Promise<void>;
  onRefused: () => void;
};

/** For whoever is signed in to the account that is invited. */
export function AcceptStep({ token, onAccepted, onRefused }: AcceptStepProps) {
  const accept = trpc.team.acceptInviteSignedIn.useMutation({
    onSuccess: onAccepted,
    onError: (error) => {
      toast.error(errorReason(error) === "internal" ? inviteTexts.joinFailed : errorText(error));
      if (errorReason(error) !== "network") onRefused();
    },
  });
  return (
    <Button fullWidth loading={accept.isPending || accept.isSuccess} onClick={() => accept.mutate({ token })}>
      Accept invitation
    </Button>
  );
}

const askAgain = "Ask the person who invited you to send it again.";

const advice: Record<Fault, ReactNode> = {
  expired: `An invitation works for ${inviteHours} hours. ${askAgain}`,
  used: (
    <>
      If it was you, your account is ready: sign in. If it wasn't, write to <SupportLink /> at once.
    </>
  ),
  replaced: "Only the link in the latest invitation mail works. Look for it in your inbox, and in the spam folder.",
  withdrawn: "Whoever sent it can no longer invite people. Ask another owner for a new invitation.",
  unknown: `It may be incomplete, or the invitation was removed. Open the whole link from your mail. If that doesn't help: ${askAgain.charAt(0).toLowerCase()}${askAgain.slice(1)}`,
};

/** A link that leads nowhere: why, and what to do. */
export function InviteFault({ fault }: { fault: Fault }) {
  return (
    <ErrorState
      level={1}
      title={inviteFaultTexts[fault].replace(/\.$/, "")}
      text={advice[fault]}
      action={
        fault === "used" ? (
          <LinkButton to="/admin/login">Sign In</LinkButton>
        ) : (
          <LinkButton to="/" variant="default">
            Go to the home page
          </LinkButton>
        )
      }
    />
  );
}
