import { Button } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { FavoriteButton } from "#client/features/favorites/favorite-button.tsx";
import { DiscoverFilters } from "#client/features/projects/discover-filters.tsx";
import { type DiscoverSearch, readDiscoverSearch, toListInput } from "#client/features/projects/discover-search.ts";
import { ProjectList } from "#client/features/projects/project-list.tsx";
import { trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Page } from "#client/ui/layout/page.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { projectTexts } from "#shared/projects/texts.ts";

export const Route = createFileRoute("/discover")({
  validateSearch: readDiscoverSearch,
  loaderDeps: ({ search }) => toListInput(search),
  loader: ({ context, deps }) => void context.trpc.projects.list.prefetchInfinite(deps),
  component: Discover,
});

function Discover() {
  const filters = Route.useSearch();
  const navigate = Route.useNavigate();
  const query = trpc.projects.list.useInfiniteQuery(toListInput(filters), {
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
  // Typing and switching change the shown list, not the place in the history.
  const change = (changed: DiscoverSearch) =>
    navigate({ search: (shown) => ({ ...shown, ...changed }), replace: true, resetScroll: false });
  return (
    <Page>
      <PageTitle>Discover</PageTitle>
      <PageHead
        title="Discover projects"
        text="Managed farms across Nigeria, sold in lots: first come, first served."
      />
      <DiscoverFilters filters={filters} onChange={change} />
      <ProjectList
        query={query}
        heading="Projects"
        eagerCount={3}
        action={(project) => <FavoriteButton project={project} />}
        empty={
          <EmptyState
            picture="/art/empty-projects.svg"
            title={projectTexts.noneInCategory}
            text="Another word, category or closed projects may have what you look for."
            action={
              <Button variant="default" onClick={() => navigate({ search: {}, resetScroll: false })}>
                Reset filters
              </Button>
            }
          />
        }
      />
    </Page>
  );
}
