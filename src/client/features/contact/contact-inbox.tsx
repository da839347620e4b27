import { Anchor, Button } from "@mantine/core";
import { IconArrowLeft, IconMailOpened, IconSend } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { mailLink } from "#client/lib/addresses.ts";
import { errorText } from "#client/lib/errors.ts";
import { formatCount } from "#client/lib/format.ts";
import { useSite } from "#client/lib/site.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { FilterLink, FilterNav } from "#client/ui/layout/filter-nav.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import {
  DetailFacts,
  DetailHead,
  DetailSkeleton,
  Inbox,
  InboxEntry,
  InboxList,
  InboxListSkeleton,
  NothingOpen,
  WrittenText,
} from "#client/ui/lists/inbox.tsx";
import { ListContent, MoreRows } from "#client/ui/lists/list-page.tsx";
import { contactInboxTexts } from "#shared/contact/texts.ts";
import { formatDateTime } from "#shared/dates.ts";
import { type ContactFilter, type ContactInboxSearch, contactFilters } from "./contact-inbox-search.ts";

const labels: Record<ContactFilter, string> = { unread: "Unread", read: "Read" };

/** Visitors' messages from the contact form, newest first, with the opened message beside the list. */
export function ContactInbox({ show, open }: ContactInboxSearch) {
  const query = trpc.contact.messages.useInfiniteQuery(
    { isRead: show && show === "read" },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  );
  const messages = query.data?.pages.flatMap((page) => page.items);
  const list = (
    <ListContent
      query={query}
      rows={messages}
      loading={<InboxListSkeleton label="Loading messages" />}
      failure={contactInboxTexts.fetchFailed}
      empty={<NoMessages show={show} />}
      foot={
        <MoreRows
          query={query}
          shown={`${formatCount(messages?.length ?? 0, "message")} shown`}
          label="Load more messages"
          failure={contactInboxTexts.fetchFailed}
          isDense
        />
      }
    >
      {(shown) => (
        <InboxList label="Contact messages" isStale={query.isPlaceholderData}>
          {shown.map((message) => (
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
      )}
    </ListContent>
  );
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
      text="What visitors write on the contact page appears here at once."
    />
  );
}

/** One message, to read and to answer. */
function ContactMessage({ messageId }: { messageId: number }) {
  const query = trpc.contact.message.useQuery({ messageId }, { staleTime: 0 });
  if (query.data) return <Message message={query.data} />;
  if (!query.isError) return <DetailSkeleton label="Loading the message" />;
  return <LoadFailed query={query} title={contactInboxTexts.fetchFailed} />;
}

function useSetRead(messageId: number) {
  const utils = trpc.useUtils();
  return trpc.contact.setRead.useMutation({
    onSuccess: ({ isRead }) => {
      utils.contact.message.setData({ messageId }, (shown) => shown && { ...shown, isRead });
    },
    onSettled: () => utils.contact.invalidate(),
  });
}

function Message({ message }: { message: RouterOutputs["contact"]["message"] }) {
  const { id, name, email, phone, isRead, createdAt } = message;
  // On opening; a failure of it is nothing to be told of: the message just stays unread.
  const { mutate: markRead } = useSetRead(id);
  const isOpened = useRef(false);
  useEffect(() => {
    if (!isOpened.current && !isRead) markRead({ messageId: id, isRead: true });
    isOpened.current = true;
  }, [id, isRead, markRead]);
  const setRead = useSetRead(id);
  const change = () =>
    setRead.mutate(
      { messageId: id, isRead: !isRead },
      {
        onSuccess: () => {
          if (isRead) toast.success(contactInboxTexts.markedUnread);
        },
        onError: (error) => toast.error(contactInboxTexts.updateFailed, errorText(error)),
      },
    );
  const site = useSite();
  const reply = mailLink(email, `Your message to ${site.name}`);
  const facts = [
    { name: "Email", value: <Anchor href={reply}>{email}</Anchor> },
    { name: "Phone", value: <Anchor href={`tel:${phone.replace(/[^\d+]/g, "")}`}>{phone}</Anchor> },
  ];
  return (
    <>
      <DetailHead title={name} text={`Sent ${formatDateTime(createdAt)}`} closeLabel="Close this message" />
      <DetailFacts facts={facts} />
      <WrittenText>{message.message}</WrittenText>
      <ButtonRow>
        <Button component="a" href={reply} leftSection={<IconSend size={18} aria-hidden="true" />}>
          Reply by email
        </Button>
        <Button
          variant="default"
          leftSection={<IconMailOpened size={18} aria-hidden="true" />}
          loading={setRead.isPending}
          onClick={change}
        >
          {isRead ? "Mark as unread" : "Mark as read"}
        </Button>
      </ButtonRow>
    </>
  );
}
