import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { AllNotifications } from "#client/features/notifications/all-notifications.tsx";
import { requireSignIn } from "#client/lib/session/guards.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/notifications")({
  beforeLoad: requireSignIn,
  loader: ({ context }) => void context.trpc.notifications.list.prefetchInfinite({}),
  component: Notifications,
});

function Notifications() {
  const { viewer } = Route.useRouteContext();
  return (
    <Page width="text">
      <PageTitle>Notifications</PageTitle>
      <AllNotifications viewer={viewer} />
    </Page>
  );
}
