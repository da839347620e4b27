import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { VerifyPaper } from "#client/features/papers/verify-paper.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/verify/$code")({ component: Verify });

function Verify() {
  const { code } = Route.useParams();
  return (
    <Page width="form">
      <PageTitle>Verify a paper</PageTitle>
      <VerifyPaper key={code} code={code} />
    </Page>
  );
}
