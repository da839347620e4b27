import { createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { OwnFarms } from "#client/features/farms/own-farms.tsx";
import { requireSignIn } from "#client/lib/session/guards.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { Page } from "#client/ui/layout/page.tsx";

const KeptPast = lazyPart(() => import("#client/features/farm-past/kept-past.tsx"));

export const Route = createFileRoute("/farm/")({
  beforeLoad: requireSignIn,
  component: FarmPage,
});

function FarmPage() {
  const { viewer } = Route.useRouteContext();
  return (
    <Page>
      <PageTitle>My farms</PageTitle>
      <OwnFarms
        hasFarm={viewer.hasFarm}
        past={(farmId, farm) => (
          <Suspense key={farmId}>
            <KeptPast farmId={farmId} farm={farm} />
          </Suspense>
        )}
      />
    </Page>
  );
}
