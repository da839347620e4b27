import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/page-title.tsx";
import { ConfirmEmail } from "#client/features/auth/confirm-email.tsx";
import { Page } from "#client/ui/page.tsx";

export const Route = createFileRoute("/auth-callback")({ component: AuthCallback });

function AuthCallback() {
  return (
    <Page width="form">
      <PageTitle>Confirm your email</PageTitle>
      <ConfirmEmail />
    </Page>
  );
}
