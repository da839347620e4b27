import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { AboutPage } from "#client/features/pages/own-page.tsx";
import { readVersionSearch } from "#client/features/pages/version-search.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/about")({
  validateSearch: readVersionSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    if (deps.version === undefined) void context.trpc.site.page.prefetch({ page: "about" });
  },
  component: About,
});

function About() {
  const { version } = Route.useSearch();
  return (
    <Page>
      <PageTitle>About</PageTitle>
      <AboutPage version={version} />
    </Page>
  );
}
