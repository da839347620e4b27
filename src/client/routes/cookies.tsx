import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { LegalPage } from "#client/features/pages/own-page.tsx";
import { readVersionSearch } from "#client/features/pages/version-search.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/cookies")({
  validateSearch: readVersionSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    if (deps.version === undefined) void context.trpc.site.page.prefetch({ page: "cookies" });
  },
  component: Cookies,
});

function Cookies() {
  const { version } = Route.useSearch();
  return (
    <Page>
      <PageTitle>Cookie Policy</PageTitle>
      <LegalPage page="cookies" version={version} />
    </Page>
  );
}
