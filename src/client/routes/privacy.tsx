import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { PrivacyPage } from "#client/features/pages/privacy-page.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/privacy")({ component: Privacy });

function Privacy() {
  return (
    <Page>
      <PageTitle>Privacy Policy</PageTitle>
      <PrivacyPage />
    </Page>
  );
}
