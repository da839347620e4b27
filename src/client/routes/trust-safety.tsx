import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/page-title.tsx";
import { TrustSafetyPage } from "#client/features/pages/trust-safety-page.tsx";
import { Page } from "#client/ui/page.tsx";

export const Route = createFileRoute("/trust-safety")({ component: TrustSafety });

function TrustSafety() {
  return (
    <Page>
      <PageTitle>Trust & Safety</PageTitle>
      <TrustSafetyPage />
    </Page>
  );
}
