import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { SetUp } from "#client/features/site/set-up.tsx";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { Page } from "#client/ui/layout/page.tsx";

/** The steps that have something to be done on this page; the others link to the screens that they are about. */
const ownSteps = ["mail", "rules"] as const;

export const Route = createFileRoute("/admin/set-up")({
  validateSearch: (search: Record<string, unknown>): { step?: (typeof ownSteps)[number] } => {
    const step = ownSteps.find((own) => own === search.step);
    return step ? { step } : {};
  },
  beforeLoad: requireAdmin({
    permission: "settings:manage",
    lacking: "You don't have permission to access admin settings",
  }),
  component: SetUpPage,
});

function SetUpPage() {
  const { step } = Route.useSearch();
  return (
    <Page width="text">
      <PageTitle>Set up this site</PageTitle>
      <SetUp step={step} />
    </Page>
  );
}
