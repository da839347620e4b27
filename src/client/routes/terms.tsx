import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { TermsPage } from "#client/features/pages/terms-page.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/terms")({ component: Terms });

function Terms() {
  return (
    <Page>
      <PageTitle>Terms of Service</PageTitle>
      <TermsPage />
    </Page>
  );
}
