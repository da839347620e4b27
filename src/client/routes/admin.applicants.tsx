import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { Applicants } from "#client/features/careers/applicants.tsx";
import { readApplicantsSearch } from "#client/features/careers/applicants-search.ts";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/admin/applicants")({
  validateSearch: readApplicantsSearch,
  beforeLoad: requireAdmin({ gated: true, permission: "users:manage" }),
  component: ApplicantsPage,
});

function ApplicantsPage() {
  const search = Route.useSearch();
  return (
    <Page>
      <PageTitle>Applicants</PageTitle>
      <Applicants {...search} />
    </Page>
  );
}
