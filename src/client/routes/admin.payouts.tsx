import { createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { Payouts } from "#client/features/payouts/payouts.tsx";
import { readPayoutsSearch } from "#client/features/payouts/payouts-search.ts";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { Page } from "#client/ui/layout/page.tsx";

const SaidPaid = lazyPart(() => import("#client/features/payments/unallocated/said-paid.tsx"));

export const Route = createFileRoute("/admin/payouts")({
  validateSearch: readPayoutsSearch,
  beforeLoad: requireAdmin({ permission: "payouts:view" }),
  component: PayoutsPage,
});

function PayoutsPage() {
  const search = Route.useSearch();
  return (
    <Page>
      <PageTitle>Payouts</PageTitle>
      <Payouts
        search={search}
        saidPaid={
          <Suspense fallback={<LoadingPayments />}>
            <SaidPaid />
          </Suspense>
        }
      />
    </Page>
  );
}

function LoadingPayments() {
  return (
    <Loading label="Loading payments">
      <Skeleton height="16rem" />
    </Loading>
  );
}
