import { IconArrowLeft } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { errorText } from "#client/lib/errors.ts";
import { formatCount } from "#client/lib/format.ts";
import { trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/feedback/empty-state.tsx";
import { ErrorState } from "#client/ui/feedback/error-state.tsx";
import { FilterLink, FilterNav } from "#client/ui/layout/filter-nav.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { Inbox, InboxEntry, InboxList, InboxListSkeleton, NothingOpen } from "#client/ui/lists/inbox.tsx";
import { contactInboxTexts } from "#shared/contact-inbox-texts.ts";
import { type ContactFilter, type ContactInboxSearch, contactFilters } from "./contact-inbox-search.ts";
import { ContactMessage } from "./contact-message.tsx";

const labels: Record<ContactFilter, string> = { unread: "Unread", read: "Read" };

/** What visitors wrote in the contact form, newest first, with the opened message beside the list. */
export function ContactInbox({ show, open }: ContactInboxSearch) {
  const query = trpc.contact.messages.useInfiniteQuery(
    { isRead: show && show === "read" },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  );
  const messages = query.data?.pages.flatMap((page) => page.items);
  let list: ReactNode;
  if (!messages) {
    list = query.isError ? (
      <ErrorState
        title={contactInboxTexts.fetchFailed}
        text={errorText(query.error)}
        onRetry={() => void query.refetch()}
        isRetrying={query.isRefetching}
      />
    ) : (
      <InboxListSkeleton label="Loading messages" />
    );
  } else if (messages.length === 0 && !query.isPlaceholderData) {
    list = <NoMessages show={show} />;
  } else {
    list = (
      <InboxList
        label="Contact messages"
        shown={`${formatCount(messages.length, "message")} shown`}
        isStale={query.isPlaceholderData}
        more={
          query.hasNextPage
            ? {
                label: "Load more messages",
                isLoading: query.isFetchingNextPage,
                onClick: () => void query.fetchNextPage(),
                failure: query.isFetchNextPageError ? contactInboxTexts.fetchFailed : null,
              }
            : null
        }
      >
        {messages.map((message) => (
          <li key={message.id}>
            <InboxEntry
              to="/admin/messages"
              search={{ show, open: message.id }}
              resetScroll={false}
              entryId={message.id}
              heading={message.name}
              note={message.excerpt}
              date={message.createdAt}
              isUnread={!message.isRead}
              isCurrent={message.id === open}
            />
          </li>
        ))}
      </InboxList>
    );
  }
  return (
    <>
      <PageHead
        title="Contact messages"
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
      <Filters show={show} />
      <Inbox
        list={list}
        detailLabel="Message"
        openId={open}
        detail={
          open === undefined ? (
            <NothingOpen>Choose a message to read it.</NothingOpen>
          ) : (
            <ContactMessage key={open} messageId={open} />
          )
        }
      />
    </>
  );
}

function Filters({ show }: Pick<ContactInboxSearch, "show">) {
  const { data } = trpc.contact.counts.useQuery(undefined, { staleTime: 0 });
  const counts = data && { all: data.all, unread: data.unread, read: data.all - data.unread };
  return (
    <FilterNav label="Filter messages">
      {[undefined, ...contactFilters].map((one) => (
        <FilterLink
          key={one ?? "all"}
          to="/admin/messages"
          search={{ show: one }}
          replace
          resetScroll={false}
          isCurrent={one === show}
          count={counts?.[one ?? "all"]}
        >
          {one ? labels[one] : "All"}
        </FilterLink>
      ))}
    </FilterNav>
  );
}

function NoMessages({ show }: Pick<ContactInboxSearch, "show">) {
  return show ? (
    <EmptyState
      title={`No ${show} messages`}
      action={
        <LinkButton to="/admin/messages" search={{}} variant="default">
          Show all messages
        </LinkButton>
      }
    />
  ) : (
    <EmptyState
      picture="/art/empty-messages.svg"
      title="No messages yet"
      text="What visitors write on the contact page stands here at once."
    />
  );
}
