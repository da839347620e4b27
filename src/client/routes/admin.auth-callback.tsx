import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { GoogleReturn } from "#client/features/accounts/google-return.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/admin/auth-callback")({ component: AdminAuthCallback });

function AdminAuthCallback() {
  return (
    <Page width="form">
      <PageTitle>Admin Login</PageTitle>
      <GoogleReturn kind="admin" />
    </Page>
  );
}
