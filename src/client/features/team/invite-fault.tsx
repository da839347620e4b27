import type { ReactNode } from "react";
import { ErrorState } from "#client/ui/feedback/error-state.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { brand } from "#shared/brand.ts";
import { type InviteFault as Fault, inviteFaultTexts, inviteHours } from "#shared/team-texts.ts";

const askAgain = "Ask the person who invited you to send it again.";

const advice: Record<Fault, ReactNode> = {
  expired: `An invitation works for ${inviteHours} hours. ${askAgain}`,
  used: (
    <>
      If it was you, your account is ready: sign in. If it wasn't, write to{" "}
      <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a> at once.
    </>
  ),
  replaced: "Only the link in the latest invitation mail works. Look for it in your inbox, and in the spam folder.",
  withdrawn: `Whoever sent it can no longer invite people. Ask another owner of ${brand.name} for a new invitation.`,
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
