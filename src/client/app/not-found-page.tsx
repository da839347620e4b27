import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { Page, useDocumentTitle } from "#client/ui/layout/page.tsx";
import { brand } from "#shared/brand.ts";

export default function NotFoundPage() {
  useDocumentTitle("Page not found", brand.name);
  return (
    <Page>
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
