import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { StopSearch } from "#client/features/saved-searches/stop-search.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/stop-search")({
  validateSearch: (search: Record<string, unknown>) => ({ token: String(search.token ?? "") }),
  component: StopSearchRoute,
});

function StopSearchRoute() {
  const { token } = Route.useSearch();
  return (
    <Page width="form">
      <PageTitle>Saved search</PageTitle>
      <StopSearch key={token} token={token} />
    </Page>
  );
}
