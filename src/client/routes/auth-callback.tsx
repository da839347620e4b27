import { createFileRoute } from "@tanstack/react-router";
import { useState } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { ConfirmEmail } from "#client/features/accounts/confirm-email.tsx";
import { ConfirmEmailChange } from "#client/features/accounts/confirm-email-change.tsx";
import { GoogleReturn, readGoogleAnswer } from "#client/features/accounts/google-return.tsx";
import { isLinkOfType } from "#client/lib/mailed-link.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/auth-callback")({ component: AuthCallback });

/** Roads that end here: Google's, with an answer in the query, and those of mailed links, with a token in the fragment. */
function AuthCallback() {
  // Asked once: what led here is taken out of the address at once.
  const [isFromGoogle] = useState(() => readGoogleAnswer() !== null);
  const [isEmailChange] = useState(() => isLinkOfType("email_change"));
  return (
    <Page width="form">
      <PageTitle>{isFromGoogle ? "Login" : "Confirm your email"}</PageTitle>
      {isFromGoogle ? <GoogleReturn kind="backer" /> : isEmailChange ? <ConfirmEmailChange /> : <ConfirmEmail />}
    </Page>
  );
}
