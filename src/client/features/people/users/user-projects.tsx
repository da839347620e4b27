import { IconArrowLeft } from "@tabler/icons-react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { Agreements } from "#client/shared-parts/agreements.tsx";
import { EmptyState, ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { type Column, DataTable, DataTableSkeleton } from "#client/ui/lists/data-table.tsx";
import { ListContent, MoreRows } from "#client/ui/lists/list-page.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { adminTexts as texts } from "#shared/people/texts.ts";
import { categoryName } from "#shared/projects/categories.ts";
import { consentTexts } from "#shared/site/consent-texts.ts";
import { LastActivity, UserStatus } from "./user-columns.tsx";
import classes from "./users.module.css";

type BackedProject = RouterOutputs["users"]["backedProjects"]["items"][number];

const columns: readonly Column<BackedProject>[] = [
  { header: "Title", inCard: "head", render: ({ title }) => <span className={classes.name}>{title}</span> },
  { header: "Category", width: "11rem", render: ({ category }) => categoryName(category) },
  {
    header: "Funding Goal",
    width: "9rem",
    align: "end",
    render: ({ fundingGoalKobo }) => <span className="money">{formatNaira(fundingGoalKobo)}</span>,
  },
  {
    header: "Current Funding",
    width: "9.5rem",
    align: "end",
    render: ({ currentFundingKobo }) => <span className="money">{formatNaira(currentFundingKobo)}</span>,
  },
  {
    header: "Status",
    width: "8rem",
    render: ({ isClosed }) =>
      isClosed ? <StatusBadge tone="closed">Closed</StatusBadge> : <StatusBadge tone="positive">Active</StatusBadge>,
  },
  {
    header: "Actions",
    width: "8.5rem",
    inCard: "wide",
    render: ({ id, title }) => (
      <TextLink to="/project/$id" params={{ id: String(id) }} preload={false} aria-label={`View Project: ${title}`}>
        View Project
      </TextLink>
    ),
  },
];

/** One person, and the projects that the person backs. */
export function UserProjects({ userId }: { userId: string }) {
  const user = trpc.users.byId.useQuery({ userId }, { staleTime: 0 });
  const isUnknown = errorReason(user.error) === "not_found" || errorReason(user.error) === "invalid";
  return (
    <>
      <TextLink to="/admin/settings" search={{ tab: "users" }} className={classes.back}>
        <IconArrowLeft size={18} aria-hidden="true" />
        Back to Settings
      </TextLink>
      <PageHead
        title="User Backed Projects"
        aside={
          <>
            {user.data && (
              <LinkButton
                to="/admin/payments"
                search={{ search: user.data.email, status: "approved" }}
                variant="default"
              >
                Change of holder…
              </LinkButton>
            )}
            <LinkButton to="/admin/papers" search={{ user: userId }} variant="default">
              Papers
            </LinkButton>
          </>
        }
      />
      {user.data ? (
        <Facts user={user.data} />
      ) : user.isError ? (
        <ErrorState
          title={texts.fetchUserFailed}
          text={isUnknown ? texts.userNotFound : errorText(user.error)}
          {...(!isUnknown && { onRetry: () => void user.refetch(), isRetrying: user.isRefetching })}
        />
      ) : (
        <Loading label="Loading the user">
          <div className={classes.facts}>
            <SkeletonText lines={2} />
            <SkeletonText lines={2} />
            <SkeletonText lines={2} />
            <SkeletonText lines={2} />
          </div>
        </Loading>
      )}
      {!isUnknown && <Backed userId={userId} />}
      {!isUnknown && <AgreedTo userId={userId} />}
    </>
  );
}

/** Which texts the person agreed to, word for word. */
function AgreedTo({ userId }: { userId: string }) {
  const query = trpc.site.agreements.useQuery({ userId }, { staleTime: 0 });
  return (
    <section className={classes.agreed} aria-labelledby="agreed-to">
      <h2 id="agreed-to">What they agreed to</h2>
      <Agreements query={query} empty={consentTexts.noneOfTheirs} />
    </section>
  );
}

function Facts({ user }: { user: RouterOutputs["users"]["byId"] }) {
  const { fullName, email, createdAt, lastActivityAt, isBlocked } = user;
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Full name</dt>
        <dd>{fullName}</dd>
      </div>
      <div>
        <dt>Email</dt>
        <dd>{email}</dd>
      </div>
      <div>
        <dt>Account created</dt>
        <dd>{formatDate(createdAt)}</dd>
      </div>
      <div>
        <dt>Last activity</dt>
        <dd>
          <LastActivity at={lastActivityAt} />
        </dd>
      </div>
      <div>
        <dt>Status</dt>
        <dd>
          <UserStatus isBlocked={isBlocked} />
        </dd>
      </div>
    </dl>
  );
}

function Backed({ userId }: { userId: string }) {
  const query = trpc.users.backedProjects.useInfiniteQuery(
    { userId },
    { getNextPageParam: (page) => page.nextCursor, staleTime: 0 },
  );
  const projects = query.data?.pages.flatMap((page) => page.items);
  return (
    <ListContent
      query={query}
      rows={projects}
      loading={<DataTableSkeleton label="Loading backed projects" columns={columns} />}
      failure={texts.fetchBackedFailed}
      empty={<EmptyState picture="/art/empty-backed.svg" title={texts.noBacked} />}
      foot={<MoreRows query={query} label="Load more projects" failure={texts.fetchBackedFailed} />}
    >
      {(rows) => (
        <DataTable label="Backed projects" columns={columns} rows={rows} rowKey={(project) => project.backingId} />
      )}
    </ListContent>
  );
}
