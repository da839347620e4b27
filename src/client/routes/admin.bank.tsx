import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { Bank } from "#client/features/bank/bank.tsx";
import { readBankSearch } from "#client/features/bank/bank-search.ts";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/admin/bank")({
  validateSearch: readBankSearch,
  beforeLoad: requireAdmin({ permission: "bank:view" }),
  component: BankPage,
});

function BankPage() {
  const search = Route.useSearch();
  return (
    <Page>
      <PageTitle>Bank</PageTitle>
      <Bank search={search} />
    </Page>
  );
}
