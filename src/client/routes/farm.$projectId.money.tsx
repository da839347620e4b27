import { createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { requireSignIn } from "#client/lib/session/guards.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { Page } from "#client/ui/layout/page.tsx";

const KeptMoney = lazyPart(() => import("#client/features/payouts/release-parts/kept-money.tsx"));

export const Route = createFileRoute("/farm/$projectId/money")({
  beforeLoad: requireSignIn,
  component: MoneyPage,
});

function MoneyPage() {
  const { projectId } = Route.useParams();
  return (
    <Page>
      <PageTitle>Money to the farm</PageTitle>
      <Suspense
        fallback={
          <Loading>
            <Skeleton height="24rem" radius="var(--mantine-radius-lg)" />
          </Loading>
        }
      >
        <KeptMoney key={projectId} projectId={Number(projectId)} />
      </Suspense>
    </Page>
  );
}
