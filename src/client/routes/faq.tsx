import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { FaqPage } from "#client/features/pages/faq-page.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/faq")({
  loader: ({ context }) => void context.trpc.site.figures.prefetch(),
  component: Faq,
});

function Faq() {
  return (
    <Page>
      <PageTitle>FAQ</PageTitle>
      <FaqPage />
    </Page>
  );
}
