import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { TrustSafetyPage } from "#client/features/pages/trust-safety-page.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/trust-safety")({ component: TrustSafety });

function TrustSafety() {
  return (
    <Page>
      <PageTitle>Trust & Safety</PageTitle>
      <TrustSafetyPage />
    </Page>
  );
}
