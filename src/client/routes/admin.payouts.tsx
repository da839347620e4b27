import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { Payouts } from "#client/features/payouts/payouts.tsx";
import { readPayoutsSearch } from "#client/features/payouts/payouts-search.ts";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/admin/payouts")({
  validateSearch: readPayoutsSearch,
  beforeLoad: requireAdmin({ permission: "payouts:process" }),
  component: PayoutsPage,
});

function PayoutsPage() {
  const search = Route.useSearch();
  return (
    <Page>
      <PageTitle>Payouts</PageTitle>
      <Payouts search={search} />
    </Page>
  );
}
