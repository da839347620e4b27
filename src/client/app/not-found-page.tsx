import { PageTitle } from "#client/app/shell/page-title.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export default function NotFoundPage() {
  return (
    <Page>
      <PageTitle>Page not found</PageTitle>
      <EmptyState
        level={1}
        picture="/art/not-found.svg"
        title="Page not found"
        text="Nothing grows at this address. The page may have moved, or the link may be mistyped."
        action={<LinkButton to="/">Go to the home page</LinkButton>}
      />
    </Page>
  );
}
