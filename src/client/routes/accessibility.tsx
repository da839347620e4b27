import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { AccessibilityPage } from "#client/features/pages/accessibility-page.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/accessibility")({ component: Accessibility });

function Accessibility() {
  return (
    <Page>
      <PageTitle>Accessibility</PageTitle>
      <AccessibilityPage />
    </Page>
  );
}
