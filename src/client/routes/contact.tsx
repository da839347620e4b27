import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { ContactPage } from "#client/features/contact/contact-page.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/contact")({ component: Contact });

function Contact() {
  return (
    <Page>
      <PageTitle>Contact Us</PageTitle>
      <ContactPage />
    </Page>
  );
}
