import { keepPreviousData } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { DiscoverFilters } from "#client/features/projects/discover/discover-filters.tsx";
import {
  type DiscoverSearch,
  readDiscoverSearch,
  toListInput,
} from "#client/features/projects/discover/discover-search.ts";
import { FavoriteButton } from "#client/features/projects/favorites/favorite-button.tsx";
import { ProjectList } from "#client/features/projects/project-list.tsx";
import { SaveSearch } from "#client/features/saved-searches/save-search.tsx";
import { trpc } from "#client/lib/trpc.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { Page } from "#client/ui/layout/page.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";

const NothingFound = lazyPart(() => import("#client/features/projects/discover/nothing-found.tsx"));

export const Route = createFileRoute("/discover")({
  // The page reads the address itself, and asks for its list: the start chunk has no room for either.
  validateSearch: (search): DiscoverSearch => search,
  component: Discover,
});

function Discover() {
  const filters = readDiscoverSearch(Route.useSearch());
  const navigate = Route.useNavigate();
  const input = toListInput(filters);
  const query = trpc.projects.list.useInfiniteQuery(input, {
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
      <SaveSearch filters={input} />
      <ProjectList
        query={query}
        heading="Projects"
        eagerCount={3}
        action={(project) => <FavoriteButton project={project} />}
        empty={
          <Suspense>
            <NothingFound
              filters={filters}
              onChange={change}
              onReset={() => navigate({ search: { map: filters.map }, resetScroll: false })}
            />
          </Suspense>
        }
      />
    </Page>
  );
}
