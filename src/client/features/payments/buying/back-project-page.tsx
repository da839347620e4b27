import { IconArrowLeft } from "@tabler/icons-react";
import { useState } from "react";
import { SupportLink } from "#client/shared-parts/support-link.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { paymentTexts } from "#shared/payments/texts.ts";
import classes from "./back-project-page.module.css";
import { SendReceipt } from "./send-receipt.tsx";
import { SentReceipt } from "./sent-receipt.tsx";
import type { PaymentPage } from "./use-payment-page.ts";
import { UseSurplus } from "./use-surplus.tsx";

type BackProjectPageProps = {
  page: PaymentPage;
  /** How many lots the address asks for. */
  askedLots?: number | undefined;
};

/** The page /back-project: the way to pay, or the state of the payment, or why there is nothing to do. */
export function BackProjectPage({ page, askedLots }: BackProjectPageProps) {
  const { project } = page;
  const [isJustSent, setIsJustSent] = useState(false);
  return (
    <article className={classes.page}>
      <header className={classes.head}>
        <LinkButton
          to="/project/$id"
          params={{ id: String(project.id) }}
          variant="subtle"
          size="sm"
          className={classes.back}
          leftSection={<IconArrowLeft size={18} aria-hidden="true" />}
        >
          Project page
        </LinkButton>
        <h1 className={classes.title}>
          <span className={classes.eyebrow}>{isPaid(page) ? "Your payment for" : "Back this project"}</span>{" "}
          {project.title}
        </h1>
      </header>
      <Content page={page} askedLots={askedLots} isJustSent={isJustSent} onSent={() => setIsJustSent(true)} />
    </article>
  );
}

/** Approved once and closed since, or under review: nothing more to pay. */
function isPaid({ project, ownPayment }: PaymentPage): boolean {
  return ownPayment?.status === "pending" || (ownPayment?.status === "approved" && project.isClosed);
}

type ContentProps = BackProjectPageProps & { isJustSent: boolean; onSent: () => void };

function Content({ page, askedLots, isJustSent, onSent }: ContentProps) {
  const { project, ownPayment, blockedBy } = page;
  if (ownPayment?.status === "pending") return <SentReceipt page={page} payment={ownPayment} isJustSent={isJustSent} />;
  if (isPaid(page)) return <Approved projectId={project.id} />;
  if (blockedBy === "closed") return <Closed isTakenByOther={page.isTakenByOther} />;
  if (blockedBy === "no_bank_details") return <NoBankDetails />;
  const payment = <SendReceipt page={page} askedLots={askedLots} onSent={onSent} />;
  if (!page.surplus) return payment;
  return (
    <UseSurplus page={page} surplus={page.surplus}>
      {payment}
    </UseSurplus>
  );
}

/** The shape of /back-project: heading, lead, three steps. */
export function PaymentPageSkeleton() {
  return (
    <Loading label="Loading payment details">
      <div className={classes.page}>
        <div className={classes.head}>
          <Skeleton width="10rem" />
          <Skeleton width="80%" height="2.25rem" />
        </div>
        <SkeletonText lines={2} />
        <Skeleton width="14rem" height="1.75rem" />
        <Skeleton height="22rem" radius="var(--mantine-radius-lg)" />
        <Skeleton width="12rem" height="1.75rem" />
        <Skeleton height="7.5rem" radius="var(--mantine-radius-md)" />
      </div>
    </Loading>
  );
}

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
function Closed({ isTakenByOther }: { isTakenByOther: boolean }) {
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

function NoBankDetails() {
  return (
    <EmptyState
      picture="/art/empty-payments.svg"
      title={paymentTexts.noBankDetails}
      text={
        <>
          Write to <SupportLink />, and don't transfer anything until this page shows our account.
        </>
      }
    />
  );
}

function Approved({ projectId }: { projectId: number }) {
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
