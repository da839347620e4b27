import { createFileRoute, redirect } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { TwoFactorCard } from "#client/features/accounts/two-factor-card.tsx";
import { Page } from "#client/ui/layout/page.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";

/** Where administrators are led who must set up a second factor before they can do anything else. */
export const Route = createFileRoute("/admin/two-factor")({
  beforeLoad: async ({ context }) => {
    const viewer = await context.trpc.auth.viewer.ensureData();
    if (!viewer?.isAdmin) throw redirect({ to: "/admin/login" });
  },
  component: AdminTwoFactor,
});

function AdminTwoFactor() {
  const navigate = Route.useNavigate();
  return (
    <Page width="text">
      <PageTitle>Two-factor sign-in</PageTitle>
      <PageHead title="Protect your account" text="A second step at sign-in, for everybody who runs this site." />
      <TwoFactorCard onSetUp={() => navigate({ to: "/admin/dashboard" })} />
    </Page>
  );
}
