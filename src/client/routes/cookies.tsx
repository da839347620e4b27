import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { CookiesPage } from "#client/features/pages/cookies-page.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/cookies")({ component: Cookies });

function Cookies() {
  return (
    <Page>
      <PageTitle>Cookie Policy</PageTitle>
      <CookiesPage />
    </Page>
  );
}
