import { IconArrowLeft } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { formatCount } from "#client/lib/format.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { FilterLink, FilterNav } from "#client/ui/layout/filter-nav.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { Inbox, InboxEntry, InboxList, InboxListSkeleton, NothingOpen } from "#client/ui/lists/inbox.tsx";
import { ListContent, MoreRows } from "#client/ui/lists/list-page.tsx";
import { type ApplicantStatus, applicantStatuses, applicantStatusLabels } from "#shared/careers/applicant-statuses.ts";
import { applicantTexts } from "#shared/careers/texts.ts";
import { ApplicantBadge, ApplicantDetail } from "./applicant-detail.tsx";
import type { ApplicantsSearch } from "./applicants-search.ts";

type Applicant = RouterOutputs["careers"]["applicants"]["items"][number];

/** Who applied, newest first, with the opened application beside the list. */
export function Applicants({ status, open }: ApplicantsSearch) {
  const query = trpc.careers.applicants.useInfiniteQuery(
    { status },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  );
  const applicants = query.data?.pages.flatMap((page) => page.items);
  const list = (
    <ListContent
      query={query}
      rows={applicants}
      loading={<InboxListSkeleton label="Loading applicants" />}
      failure={applicantTexts.fetchFailed}
      empty={<NoApplicants status={status} />}
      foot={
        <MoreRows
          query={query}
          shown={`${formatCount(applicants?.length ?? 0, "applicant")} shown`}
          label="Load more applicants"
          failure={applicantTexts.fetchFailed}
          isDense
        />
      }
    >
      {(shown) => (
        <InboxList label="Applicants" isStale={query.isPlaceholderData}>
          {shown.map((applicant) => (
            <Entry key={applicant.id} applicant={applicant} status={status} isCurrent={applicant.id === open} />
          ))}
        </InboxList>
      )}
    </ListContent>
  );
  return (
    <>
      <PageHead
        title="Job Applicants"
        aside={
          <LinkButton
            to="/admin/dashboard"
            variant="default"
            size="sm"
            leftSection={<IconArrowLeft size={16} aria-hidden="true" />}
          >
            Back to Dashboard
          </LinkButton>
        }
      />
      <StatusTabs status={status} />
      <Inbox
        list={list}
        detailLabel="Applicant"
        openId={open}
        detail={
          open === undefined ? (
            <NothingOpen>Choose an applicant to read the application.</NothingOpen>
          ) : (
            <ApplicantDetail key={open} applicationId={open} />
          )
        }
      />
    </>
  );
}

function StatusTabs({ status }: { status: ApplicantStatus | undefined }) {
  const { data: counts } = trpc.careers.applicantCounts.useQuery(undefined, { staleTime: 0 });
  return (
    <FilterNav label="Filter by status">
      {[undefined, ...applicantStatuses].map((one) => (
        <FilterLink
          key={one ?? "all"}
          to="/admin/applicants"
          search={{ status: one }}
          replace
          resetScroll={false}
          isCurrent={one === status}
          count={counts?.[one ?? "all"]}
        >
          {one ? applicantStatusLabels[one] : "All"}
        </FilterLink>
      ))}
    </FilterNav>
  );
}

type EntryProps = { applicant: Applicant; status: ApplicantStatus | undefined; isCurrent: boolean };

function Entry({ applicant, status, isCurrent }: EntryProps) {
  return (
    <li>
      <InboxEntry
        to="/admin/applicants"
        search={{ status, open: applicant.id }}
        resetScroll={false}
        entryId={applicant.id}
        heading={applicant.fullName}
        note={applicant.position}
        date={applicant.createdAt}
        mark={<ApplicantBadge status={applicant.status} />}
        isCurrent={isCurrent}
      />
    </li>
  );
}

function NoApplicants({ status }: { status: ApplicantStatus | undefined }) {
  return status ? (
    <EmptyState
      title={`No ${status} applicants`}
      action={
        <LinkButton to="/admin/applicants" search={{}} variant="default">
          Show all applicants
        </LinkButton>
      }
    />
  ) : (
    <EmptyState
      picture="/art/careers.svg"
      title="No applicants yet"
      text="Who applies on the careers page appears here at once."
    />
  );
}
