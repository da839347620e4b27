import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { ResetPassword } from "#client/features/accounts/reset-password.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/reset-password")({ component: ResetPasswordPage });

function ResetPasswordPage() {
  return (
    <Page width="form">
      <PageTitle>Reset Password</PageTitle>
      <ResetPassword />
    </Page>
  );
}
