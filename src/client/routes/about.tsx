import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { AboutPage } from "#client/features/pages/about-page.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/about")({ component: About });

function About() {
  return (
    <Page>
      <PageTitle>About</PageTitle>
      <AboutPage />
    </Page>
  );
}
