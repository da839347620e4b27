import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { ContactInbox } from "#client/features/contact/contact-inbox.tsx";
import { readContactInboxSearch } from "#client/features/contact/contact-inbox-search.ts";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/admin/messages")({
  validateSearch: readContactInboxSearch,
  beforeLoad: requireAdmin({ permission: "users:manage" }),
  component: ContactMessages,
});

function ContactMessages() {
  const search = Route.useSearch();
  return (
    <Page>
      <PageTitle>Contact messages</PageTitle>
      <ContactInbox {...search} />
    </Page>
  );
}
