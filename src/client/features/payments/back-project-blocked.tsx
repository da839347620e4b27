import { Anchor } from "@mantine/core";
import { EmptyState } from "#client/ui/feedback/empty-state.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { brand } from "#shared/brand.ts";
import { paymentTexts } from "#shared/payment-texts.ts";

/** There is no such project. */
export function ProjectNotFound() {
  return (
    <EmptyState
      level={1}
      picture="/art/not-found.svg"
      title={paymentTexts.projectNotFound}
      text="It doesn't exist or has been removed."
      action={<DiscoverLink />}
    />
  );
}

/** Closed before this person ever opened the page: nobody is asked to pay. */
export function Closed({ isTakenByOther }: { isTakenByOther: boolean }) {
  const why = isTakenByOther ? "Another backer's payment was approved first." : "It doesn't take backers any more.";
  return (
    <EmptyState
      picture="/art/locked.svg"
      title={paymentTexts.projectClosed}
      text={`${why} Please don't transfer any money for it.`}
      action={<DiscoverLink />}
    />
  );
}

export function NoBankDetails() {
  return (
    <EmptyState
      picture="/art/empty-payments.svg"
      title={paymentTexts.noBankDetails}
      text={
        <>
          Write to <Anchor href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</Anchor>, and don't transfer
          anything until this page shows our account.
        </>
      }
    />
  );
}

export function Approved({ projectId }: { projectId: number }) {
  return (
    <EmptyState
      picture="/art/success.svg"
      title="Your payment was approved"
      text="You are a backer of this project. Its updates, photos and messages are on your project page."
      action={
        <LinkButton to="/backed-project/$id" params={{ id: String(projectId) }} size="lg">
          Go to your project
        </LinkButton>
      }
    />
  );
}

function DiscoverLink() {
  return <LinkButton to="/discover">Discover other projects</LinkButton>;
}
