import { createFileRoute, redirect } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { AuthCard } from "#client/features/accounts/auth-card.tsx";
import { SignInForm } from "#client/features/accounts/sign-in-form.tsx";
import { toast } from "#client/lib/toast.ts";
import { Page } from "#client/ui/layout/page.tsx";
import { authTexts } from "#shared/accounts/inputs.ts";

export const Route = createFileRoute("/admin/login")({
  beforeLoad: async ({ context }) => {
    const viewer = await context.trpc.auth.viewer.ensureData();
    if (viewer?.isAdmin) throw redirect({ to: "/admin/dashboard" });
  },
  component: AdminLogin,
});

function AdminLogin() {
  const navigate = Route.useNavigate();
  const enter = () => {
    toast.success(authTexts.adminSignedIn);
    void navigate({ to: "/admin/dashboard" });
  };
  return (
    <Page width="form">
      <PageTitle>Admin Login</PageTitle>
      <AuthCard title="Admin Login" text="Access the admin dashboard">
        <SignInForm door="admin" onSignedIn={enter} />
      </AuthCard>
    </Page>
  );
}
