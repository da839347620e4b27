import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { VerifyPaper } from "#client/features/papers/verify-paper.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/verify/")({ component: Verify });

function Verify() {
  return (
    <Page width="form">
      <PageTitle>Verify a paper</PageTitle>
      <VerifyPaper />
    </Page>
  );
}
