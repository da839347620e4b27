import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { PaymentsList } from "#client/features/payments/review/payments-list.tsx";
import { readPaymentsSearch } from "#client/features/payments/review/payments-search.ts";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/admin/payments")({
  validateSearch: readPaymentsSearch,
  beforeLoad: requireAdmin({ gated: true, permission: "payments:view" }),
  component: Payments,
});

function Payments() {
  const filters = Route.useSearch();
  return (
    <Page>
      <PageTitle>Payments</PageTitle>
      <PaymentsList filters={filters} />
    </Page>
  );
}
