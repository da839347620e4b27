import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { Unsubscribe } from "#client/features/notifications/unsubscribe.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/unsubscribe")({
  validateSearch: (search: Record<string, unknown>) => ({ token: String(search.token ?? "") }),
  component: UnsubscribeRoute,
});

function UnsubscribeRoute() {
  const { token } = Route.useSearch();
  return (
    <Page width="form">
      <PageTitle>Emails</PageTitle>
      <Unsubscribe key={token} token={token} />
    </Page>
  );
}
