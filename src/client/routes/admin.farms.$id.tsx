import { createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { OneFarm } from "#client/features/farms/one-farm.tsx";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { can, useViewer } from "#client/lib/session/session.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { Page } from "#client/ui/layout/page.tsx";

const OfficePast = lazyPart(() => import("#client/features/farm-past/office-past.tsx"));
const AccountCard = lazyPart(() => import("#client/features/payouts/releases/account-card.tsx"));

export const Route = createFileRoute("/admin/farms/$id")({
  beforeLoad: requireAdmin({ permission: "projects:edit" }),
  component: FarmPage,
});

function FarmPage() {
  const { id } = Route.useParams();
  const viewer = useViewer();
  const maySeePayouts = can(viewer, "payouts:view");
  return (
    <Page>
      <PageTitle>Farm</PageTitle>
      <OneFarm
        key={id}
        id={id}
        past={(farmId) => (
          <Suspense>
            <OfficePast farmId={farmId} isOwner={can(viewer, "payments:process")} />
          </Suspense>
        )}
        account={(farmId) => <Suspense>{maySeePayouts && <AccountCard farmId={farmId} />}</Suspense>}
      />
    </Page>
  );
}
