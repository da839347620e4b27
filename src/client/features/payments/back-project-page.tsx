import { IconArrowLeft } from "@tabler/icons-react";
import { useState } from "react";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { Approved, Closed, NoBankDetails } from "./back-project-blocked.tsx";
import classes from "./back-project-page.module.css";
import { SendReceipt } from "./send-receipt.tsx";
import { SentReceipt } from "./sent-receipt.tsx";
import type { PaymentPage } from "./use-payment-page.ts";

/** What stands on /back-project: the way to pay, or how the payment stands, or why there is nothing to do. */
export function BackProjectPage({ page }: { page: PaymentPage }) {
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
      <Content page={page} isJustSent={isJustSent} onSent={() => setIsJustSent(true)} />
    </article>
  );
}

/** Approved once and closed since, or under review: nothing more to pay. */
function isPaid({ project, ownPayment }: PaymentPage): boolean {
  return ownPayment?.status === "pending" || (ownPayment?.status === "approved" && project.isClosed);
}

type ContentProps = { page: PaymentPage; isJustSent: boolean; onSent: () => void };

function Content({ page, isJustSent, onSent }: ContentProps) {
  const { project, ownPayment, blockedBy, bankDetails, reference } = page;
  if (ownPayment?.status === "pending") return <SentReceipt page={page} payment={ownPayment} isJustSent={isJustSent} />;
  if (isPaid(page)) return <Approved projectId={project.id} />;
  if (blockedBy === "closed") return <Closed isTakenByOther={page.isTakenByOther} />;
  if (!bankDetails || !reference) return <NoBankDetails />;
  return <SendReceipt page={page} bankDetails={bankDetails} reference={reference} onSent={onSent} />;
}
