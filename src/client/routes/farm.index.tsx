import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { OwnFarms } from "#client/features/farms/own-farms.tsx";
import { requireSignIn } from "#client/lib/session/guards.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/farm/")({
  beforeLoad: requireSignIn,
  component: FarmPage,
});

function FarmPage() {
  const { viewer } = Route.useRouteContext();
  return (
    <Page>
      <PageTitle>My farms</PageTitle>
      <OwnFarms hasFarm={viewer.hasFarm} />
    </Page>
  );
}
