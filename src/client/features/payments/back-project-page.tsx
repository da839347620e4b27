import { IconArrowLeft } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { TextLink } from "#client/ui/text-link.tsx";
import { Approved, Closed, NoBankDetails } from "./back-project-blocked.tsx";
import classes from "./back-project-page.module.css";
import { SendReceipt } from "./send-receipt.tsx";
import { SentReceipt } from "./sent-receipt.tsx";
import type { PaymentPage } from "./use-payment-page.ts";

/** What stands on /back-project: the way to pay, or how the payment stands, or why there is nothing to do. */
export function BackProjectPage({ page }: { page: PaymentPage }) {
  const { project, ownPayment, blockedBy } = page;
  if (ownPayment?.status === "approved" && project.isClosed) {
    return (
      <Layout page={page}>
        <Approved projectId={project.id} />
      </Layout>
    );
  }
  if (ownPayment?.status === "pending") {
    return (
      <Layout page={page}>
        <SentReceipt page={page} payment={ownPayment} />
      </Layout>
    );
  }
  if (blockedBy === "closed") {
    return (
      <Layout page={page}>
        <Closed isTakenByOther={page.isTakenByOther} />
      </Layout>
    );
  }
  if (blockedBy === "no_bank_details" || !page.reference || !page.bankDetails) {
    return (
      <Layout page={page}>
        <NoBankDetails />
      </Layout>
    );
  }
  return (
    <Layout page={page}>
      <SendReceipt page={page} bankDetails={page.bankDetails} reference={page.reference} />
    </Layout>
  );
}

function Layout({ page: { project }, children }: { page: PaymentPage; children: ReactNode }) {
  return (
    <article className={classes.page}>
      <header className={classes.head}>
        <p className={classes.return}>
          <IconArrowLeft size={18} aria-hidden="true" />
          <TextLink to="/project/$id" params={{ id: String(project.id) }}>
            Project page
          </TextLink>
        </p>
        <h1 className={classes.title}>
          <span className={classes.eyebrow}>Back this project</span> {project.title}
        </h1>
      </header>
      {children}
    </article>
  );
}
