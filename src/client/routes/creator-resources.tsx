import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { CreatorResourcesPage } from "#client/features/pages/creator-resources-page.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/creator-resources")({
  loader: ({ context }) => void context.trpc.site.figures.prefetch(),
  component: CreatorResources,
});

function CreatorResources() {
  return (
    <Page>
      <PageTitle>Creator Resources</PageTitle>
      <CreatorResourcesPage />
    </Page>
  );
}
