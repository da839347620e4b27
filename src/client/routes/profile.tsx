import { createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { ProfileHead } from "#client/features/accounts/profile-head.tsx";
import { PendingPayments } from "#client/features/payments/buying/pending-payments.tsx";
import { BackedSummary } from "#client/features/projects/backed-summary.tsx";
import { FavoriteButton } from "#client/features/projects/favorites/favorite-button.tsx";
import { ProjectList } from "#client/features/projects/project-list.tsx";
import { OwnTasks } from "#client/features/tasks/own-tasks.tsx";
import { requireSignIn } from "#client/lib/session/guards.ts";
import { trpc } from "#client/lib/trpc.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { Page } from "#client/ui/layout/page.tsx";
import { TabBar } from "#client/ui/layout/tab-bar.tsx";
import { taskText } from "#shared/tasks/texts.ts";

const MyMoney = lazyPart(() => import("#client/features/payouts/payee-accounts/my-money.tsx"));
const OwnChanges = lazyPart(() => import("#client/features/payments/holder-changes/own-changes.tsx"));
const OwnPapers = lazyPart(() => import("#client/features/papers/own-papers.tsx"));

const tabs = ["backed", "pending", "favorites", "money"] as const;

export const Route = createFileRoute("/profile")({
  validateSearch: (search: Record<string, unknown>): { tab?: (typeof tabs)[number] | undefined } => ({
    tab: tabs.find((tab) => tab === search.tab && tab !== "backed"),
  }),
  beforeLoad: requireSignIn,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.trpc.tasks.mine.prefetch();
    if (deps.tab === "money") {
      void context.trpc.payeeAccounts.mine.prefetch();
      void context.trpc.holderChanges.mine.prefetch();
    } else if (deps.tab === "pending") void context.trpc.payments.listMyPending.prefetch();
    else if (deps.tab === "favorites") void context.trpc.favorites.mine.prefetchInfinite({});
    else void context.trpc.backings.mine.prefetchInfinite({});
  },
  component: Profile,
});

function Profile() {
  const { viewer } = Route.useRouteContext();
  const { tab = "backed" } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Page>
      <PageTitle>My Profile</PageTitle>
      <ProfileHead email={viewer.email} hasFarm={viewer.hasFarm} />
      <OwnTasks />
      <TabBar
        label="My projects"
        value={tab}
        onChange={(next) =>
          navigate({ search: { tab: next === "backed" ? undefined : next }, replace: true, resetScroll: false })
        }
        tabs={[
          { id: "backed", label: "Backed Projects", panel: () => <BackedProjects /> },
          { id: "pending", label: "Pending Approval", panel: () => <PendingPayments /> },
          { id: "favorites", label: "Favorites", panel: () => <Favorites /> },
          { id: "money", label: "Money", panel: () => <Money /> },
        ]}
      />
    </Page>
  );
}

/** Loaded when it is looked at: most visits have no money to see. */
function Money() {
  return (
    <Suspense
      fallback={
        <Loading label="Loading your money">
          <Skeleton height="10rem" radius="var(--mantine-radius-lg)" />
        </Loading>
      }
    >
      <OwnChanges />
      <MyMoney />
      <OwnPapers />
    </Suspense>
  );
}

function BackedProjects() {
  // A payment may have been approved since: always asked for again.
  const tasks = trpc.tasks.mine.useQuery(undefined, { staleTime: 0 });
  const nextOf = (projectId: number) => {
    const next = tasks.data?.find((task) => "projectId" in task && task.projectId === projectId);
    return next ? taskText(next) : null;
  };
  const query = trpc.backings.mine.useInfiniteQuery({}, { getNextPageParam: (page) => page.nextCursor, staleTime: 0 });
  return (
    <ProjectList
      query={query}
      heading="Backed Projects"
      to="/backed-project/$id"
      own={(project) => <BackedSummary project={project} next={nextOf(project.id)} />}
      empty={
        <EmptyState
          picture="/art/empty-backed.svg"
          title="You haven't backed a project yet"
          text="Farms that you back appear here, with their reports, photos and videos."
          action={<LinkButton to="/discover">Discover projects</LinkButton>}
        />
      }
    />
  );
}

function Favorites() {
  const query = trpc.favorites.mine.useInfiniteQuery({}, { getNextPageParam: (page) => page.nextCursor });
  return (
    <ProjectList
      query={query}
      heading="Favorites"
      action={(project) => <FavoriteButton project={{ ...project, isFavorite: true }} />}
      empty={
        <EmptyState
          picture="/art/empty-favorites.svg"
          title="No favorites yet"
          text="Press the heart on a farm to keep it here."
          action={<LinkButton to="/discover">Discover projects</LinkButton>}
        />
      }
    />
  );
}
