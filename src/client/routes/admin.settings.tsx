import { createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { type AuditSearch, readAuditSearch } from "#client/features/audit-log/audit-search.ts";
import { AdminUsers } from "#client/features/people/team/admin-users.tsx";
import { AllUsers } from "#client/features/people/users/all-users.tsx";
import { GeneralSettings } from "#client/features/settings/general-settings.tsx";
import {
  readSettingsSearch,
  type SettingsSearch,
  type SettingsTab,
} from "#client/features/settings/settings-search.ts";
import { readSiteSearch, type SiteSearch } from "#client/features/site/site-search.ts";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { can, useViewer } from "#client/lib/session/session.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { Page } from "#client/ui/layout/page.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { TabBar } from "#client/ui/layout/tab-bar.tsx";

const ThisSite = lazyPart(() => import("#client/features/site/this-site.tsx"));
const RoleMatrix = lazyPart(async () => ({
  default: (await import("#client/features/people/team/role-matrix.tsx")).RoleMatrix,
}));
const AuditLog = lazyPart(async () => ({
  default: (await import("#client/features/audit-log/audit-log.tsx")).AuditLog,
}));

export const Route = createFileRoute("/admin/settings")({
  validateSearch: (input: Record<string, unknown>): SettingsSearch & SiteSearch & AuditSearch => ({
    ...readSettingsSearch(input),
    ...readSiteSearch(input),
    ...readAuditSearch(input),
  }),
  beforeLoad: requireAdmin({
    permission: "audit:view",
    lacking: "You don't have permission to access admin settings",
  }),
  component: Settings,
});

function Settings() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const viewer = useViewer();
  const change = (changed: AuditSearch & SettingsSearch) =>
    navigate({ search: (shown) => ({ ...shown, ...changed }), replace: true, resetScroll: false });
  const maySet = can(viewer, "settings:manage");
  const mayManageUsers = can(viewer, "users:manage");
  const all: { id: SettingsTab; label: string; isAllowed: boolean; panel: () => React.ReactNode }[] = [
    { id: "general", label: "General Settings", isAllowed: maySet, panel: () => <GeneralSettings /> },
    {
      id: "site",
      label: "This site",
      isAllowed: maySet,
      panel: () => <ThisSite section={search.section} />,
    },
    { id: "admins", label: "Admin Users", isAllowed: mayManageUsers, panel: () => <AdminUsers /> },
    {
      id: "users",
      label: "All Users",
      isAllowed: mayManageUsers,
      panel: () => <AllUsers search={search.search ?? ""} onSearch={(text) => change({ search: text || undefined })} />,
    },
    { id: "roles", label: "Roles", isAllowed: can(viewer, "roles:manage"), panel: () => <RoleMatrix /> },
    {
      id: "audit",
      label: "Audit Logs",
      isAllowed: true,
      panel: () => <AuditLog search={search} onChange={change} />,
    },
  ];
  const tabs = all.filter(({ isAllowed }) => isAllowed);
  const shown = tabs.find(({ id }) => id === search.tab)?.id ?? tabs[0]?.id ?? "audit";
  return (
    <Page>
      <PageTitle>{maySet ? "Settings" : "Audit log"}</PageTitle>
      <PageHead
        title={maySet ? "Settings" : "Audit log"}
        aside={
          <LinkButton to="/admin/dashboard" variant="default" size="sm">
            Back to Dashboard
          </LinkButton>
        }
      />
      <TabBar
        label="Settings"
        tabs={tabs.map((tab) => ({ ...tab, panel: () => <Suspense>{tab.panel()}</Suspense> }))}
        value={shown}
        // Each tab has filters of its own.
        onChange={(tab) => navigate({ search: { tab: tab === "general" ? undefined : tab }, resetScroll: false })}
      />
    </Page>
  );
}
