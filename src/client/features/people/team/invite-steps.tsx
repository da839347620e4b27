import { Button } from "@mantine/core";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { inviteTexts, roleInWords } from "#shared/people/team-texts.ts";
import type { ValidInvite } from "./use-invite.ts";

/** Returns the words of the card above the form. */
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
