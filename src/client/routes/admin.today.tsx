import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { AlarmsNotice } from "#client/features/dashboard/at-a-glance.tsx";
import { Today } from "#client/features/dashboard/today.tsx";
import { TodayItems } from "#client/features/dashboard/today-items.tsx";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { Page } from "#client/ui/layout/page.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { todayKinds, todayLines, todayTexts } from "#shared/today/lines.ts";

export const Route = createFileRoute("/admin/today")({
  // Every page loads this, and only this one the texts of the lines.
  validateSearch: ({ line }: Record<string, unknown>) => ({ line: typeof line === "string" ? line : undefined }),
  beforeLoad: requireAdmin({ permission: "projects:view" }),
  component: TodayPage,
});

/** The list of one line of the dashboard, or without a line all of them. */
function TodayPage() {
  const search = Route.useSearch();
  const line = todayKinds.find((kind) => kind === search.line);
  const back = (
    <LinkButton to="/admin/dashboard" variant="default">
      Back to Dashboard
    </LinkButton>
  );
  if (!line) {
    return (
      <Page>
        <PageTitle>Today</PageTitle>
        <PageHead title={todayTexts.title} aside={back} />
        <Today />
      </Page>
    );
  }
  const { many, toDo } = todayLines[line];
  const title = `${many.charAt(0).toUpperCase()}${many.slice(1)}`;
  return (
    <Page>
      <PageTitle>{title}</PageTitle>
      <PageHead title={title} text={toDo} aside={back} />
      {line === "alarms" ? <AlarmsNotice /> : <TodayItems kind={line} />}
    </Page>
  );
}
