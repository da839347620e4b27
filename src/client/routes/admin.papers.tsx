import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { AllPapers } from "#client/features/papers/all-papers.tsx";
import { readPapersSearch } from "#client/features/papers/papers-search.ts";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/admin/papers")({
  validateSearch: readPapersSearch,
  beforeLoad: requireAdmin({ permission: "payments:view" }),
  component: PapersPage,
});

function PapersPage() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Page>
      <PageTitle>Papers</PageTitle>
      <AllPapers
        search={search}
        onChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
      />
    </Page>
  );
}
