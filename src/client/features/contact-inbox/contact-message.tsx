import { Anchor, Button } from "@mantine/core";
import { IconMailOpened, IconSend } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { errorText } from "#client/lib/errors.ts";
import { mailLink } from "#client/lib/mail-link.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/error-state.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { DetailFacts, DetailHead, DetailSkeleton, WrittenText } from "#client/ui/lists/inbox.tsx";
import { brand } from "#shared/brand.ts";
import { contactInboxTexts } from "#shared/contact-inbox-texts.ts";
import { formatDateTime } from "#shared/dates.ts";

/** One message, to read and to answer. */
export function ContactMessage({ messageId }: { messageId: number }) {
  const query = trpc.contact.message.useQuery({ messageId }, { staleTime: 0 });
  if (query.data) return <Message message={query.data} />;
  if (!query.isError) return <DetailSkeleton label="Loading the message" />;
  return (
    <ErrorState
      title={contactInboxTexts.fetchFailed}
      text={errorText(query.error)}
      onRetry={() => void query.refetch()}
      isRetrying={query.isRefetching}
    />
  );
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
  const reply = mailLink(email, `Your message to ${brand.name}`);
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
