import { createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { CareersPage } from "#client/features/careers/careers-page.tsx";
import { useSite } from "#client/lib/site.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { Page } from "#client/ui/layout/page.tsx";

type CareersSearch = { tab?: "apply" | undefined; position?: string | undefined };

export const Route = createFileRoute("/careers")({
  validateSearch: ({ tab, position }: Record<string, unknown>): CareersSearch => ({
    tab: tab === "apply" ? tab : undefined,
    position: typeof position === "string" ? position : undefined,
  }),
  component: Careers,
});

const NotFoundPage = lazyPart(() => import("#client/app/not-found-page.tsx"));

/** An unknown page where the site offers no jobs. */
function Careers() {
  if (useSite().hasCareers) return <OpenCareers />;
  return (
    <Suspense>
      <NotFoundPage />
    </Suspense>
  );
}

function OpenCareers() {
  const { tab = "openings", position } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Page>
      <PageTitle>Careers</PageTitle>
      <CareersPage
        tab={tab}
        positionId={position}
        onTab={(next) =>
          navigate({
            search: (shown) => ({ ...shown, tab: next === "apply" ? next : undefined }),
            resetScroll: false,
          })
        }
        onPosition={(id) =>
          navigate({ search: (shown) => ({ ...shown, position: id }), replace: true, resetScroll: false })
        }
      />
    </Page>
  );
}
