import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { AllFarms } from "#client/features/farms/all-farms.tsx";
import { readFarmsSearch } from "#client/features/farms/farms-search.ts";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/admin/farms/")({
  validateSearch: readFarmsSearch,
  beforeLoad: requireAdmin({ permission: "projects:edit" }),
  component: FarmsPage,
});

function FarmsPage() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Page>
      <PageTitle>Farms</PageTitle>
      <AllFarms
        search={search}
        onChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
      />
    </Page>
  );
}
