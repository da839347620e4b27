import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { ForgotPassword } from "#client/features/accounts/forgot-password.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/admin/forgot-password")({ component: AdminForgotPasswordPage });

function AdminForgotPasswordPage() {
  return (
    <Page width="form">
      <PageTitle>Forgot Password</PageTitle>
      <ForgotPassword door="admin" />
    </Page>
  );
}
