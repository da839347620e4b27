import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { StartProjectPage } from "#client/features/pages/start-project-page.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/start-project")({ component: StartProject });

function StartProject() {
  return (
    <Page>
      <PageTitle>Start a project</PageTitle>
      <StartProjectPage />
    </Page>
  );
}
