import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { HowItWorksPage } from "#client/features/pages/how-it-works-page.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/how-it-works")({
  loader: ({ context }) => void context.trpc.site.figures.prefetch(),
  component: HowItWorks,
});

function HowItWorks() {
  return (
    <Page>
      <PageTitle>How it works</PageTitle>
      <HowItWorksPage />
    </Page>
  );
}
