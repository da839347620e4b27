import { Button } from "@mantine/core";
import { createFileRoute, redirect, useRouter } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { TwoFactorCard } from "#client/features/accounts/two-factor-card.tsx";
import { safeNext } from "#client/lib/session/guards.ts";
import { useViewer } from "#client/lib/session/session.ts";
import { Page } from "#client/ui/layout/page.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";

/** Where administrators are led who must set up a second factor before they can do anything else, and the first owner. */
export const Route = createFileRoute("/admin/two-factor")({
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search.next === "string" ? { next: search.next } : {},
  beforeLoad: async ({ context }) => {
    const viewer = await context.trpc.auth.viewer.ensureData();
    if (!viewer?.isAdmin) throw redirect({ to: "/admin/login" });
  },
  component: AdminTwoFactor,
});

function AdminTwoFactor() {
  const { next } = Route.useSearch();
  const router = useRouter();
  const viewer = useViewer();
  const goOn = safeNext(next, "/admin/dashboard");
  return (
    <Page width="text">
      <PageTitle>Two-factor sign-in</PageTitle>
      <PageHead title="Protect your account" text="A second step at sign-in, for everybody who runs this site." />
      <TwoFactorCard onSetUp={() => router.history.push(goOn)} />
      {next !== undefined && !viewer?.mustSetUpTwoFactor && (
        <Button component="a" href={goOn} variant="default" mt="md">
          Later
        </Button>
      )}
    </Page>
  );
}
