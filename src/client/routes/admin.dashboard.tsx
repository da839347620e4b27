import { createFileRoute, type ErrorComponentProps } from "@tanstack/react-router";
import { Suspense } from "react";
import { ErrorPage } from "#client/app/error-page.tsx";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { AtAGlance, InboxLinks, MailNotice } from "#client/features/dashboard/at-a-glance.tsx";
import { DashboardProjects, NetworkError } from "#client/features/dashboard/dashboard-projects.tsx";
import { type DashboardSearch, readDashboardSearch } from "#client/features/dashboard/dashboard-search.ts";
import { Today } from "#client/features/dashboard/today.tsx";
import { errorReason } from "#client/lib/errors.ts";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { can, useViewer } from "#client/lib/session/session.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { Page } from "#client/ui/layout/page.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";

const SetUpNotice = lazyPart(() => import("#client/features/site/set-up-notice.tsx"));
const OpenRequests = lazyPart(() => import("#client/features/second-person/open-requests.tsx"));

export const Route = createFileRoute("/admin/dashboard")({
  validateSearch: readDashboardSearch,
  beforeLoad: requireAdmin({ permission: "projects:view" }),
  component: Dashboard,
  errorComponent: DashboardError,
});

function Dashboard() {
  const filters = Route.useSearch();
  const navigate = Route.useNavigate();
  const viewer = useViewer();
  const change = (changed: DashboardSearch) =>
    navigate({ search: (shown) => ({ ...shown, ...changed }), replace: true, resetScroll: false });
  return (
    <Page>
      <PageTitle>Dashboard</PageTitle>
      <PageHead title="Dashboard" aside={<InboxLinks />} />
      <MailNotice />
      {can(viewer, "settings:manage") && (
        <Suspense>
          <SetUpNotice />
        </Suspense>
      )}
      <Today />
      {can(viewer, "payments:process") && (
        <Suspense>
          <OpenRequests />
        </Suspense>
      )}
      <AtAGlance />
      <DashboardProjects filters={filters} onChange={change} />
    </Page>
  );
}

/** Without a connection the guard fails already. */
function DashboardError(props: ErrorComponentProps) {
  if (errorReason(props.error) !== "network") return <ErrorPage {...props} />;
  return (
    <Page>
      <PageTitle>Dashboard</PageTitle>
      <NetworkError />
    </Page>
  );
}
