import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSite } from "#client/lib/site.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import card from "#client/ui/layout/card.module.css";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { MissingPicture, Picture, useMissing } from "#client/ui/media/picture.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { paymentStatusLabels } from "#shared/payments/statuses.ts";
import { surplusTexts } from "#shared/payments/surplus-texts.ts";
import { paymentTexts, refundDueLabel, refundDueText } from "#shared/payments/texts.ts";
import { Arrival, isPart } from "./arrival.tsx";
import { MoneyLink } from "./money-link.tsx";
import classes from "./payment-card.module.css";

function PaymentList({ payments }: { payments: OwnPayment[] }) {
  return (
    <ul className={classes.list}>
      {payments.map((own) => (
        <li key={own.payment.id}>
          <PaymentCard {...own} />
        </li>
      ))}
    </ul>
  );
}

/** Payments that wait for review, then those that were refused lately. */
export function PendingPayments() {
  // Decisions are made while the backer is away: what was cached minutes ago may be wrong.
  const query = trpc.payments.listMyPending.useQuery(undefined, { staleTime: 0 });
  // What was loaded before stays on the screen when asking again fails.
  if (query.isPending) {
    return (
      <Loading label="Loading payments">
        <Skeleton height="12rem" radius="var(--mantine-radius-lg)" />
      </Loading>
    );
  }
  if (!query.data) {
    return <LoadFailed query={query} title="Your payments could not be loaded." text="Nothing you sent was lost." />;
  }
  const { pending } = query.data;
  const due = [...query.data.approved, ...query.data.rejected.filter(({ payment }) => payment.refundDue !== null)];
  const rejected = query.data.rejected.filter(({ payment }) => payment.refundDue === null);
  return (
    <>
      {pending.length > 0 ? (
        <>
          <h2 className="visually-hidden">Waiting for review</h2>
          <PaymentList payments={pending} />
        </>
      ) : (
        query.data.rejected.length + query.data.approved.length === 0 && (
          <EmptyState
            picture="/art/empty-pending.svg"
            title="Nothing is waiting for approval"
            text="When you have sent a receipt, you can see here where it stands."
            action={<LinkButton to="/discover">Discover projects</LinkButton>}
          />
        )
      )}
      {due.length > 0 && (
        <>
          <h2 className={classes.heading}>Due back to you</h2>
          <PaymentList payments={due} />
        </>
      )}
      {rejected.length > 0 && (
        <>
          <h2 className={classes.heading}>Not accepted</h2>
          <PaymentList payments={rejected} />
        </>
      )}
    </>
  );
}

type OwnPayment = RouterOutputs["payments"]["listMyPending"]["pending"][number];
type Project = NonNullable<OwnPayment["project"]>;

/** The news for the backer now, and their next step if there is one. */
function NextStep({ payment, project }: OwnPayment) {
  const { refundDue } = payment;
  const site = useSite();
  if (refundDue) {
    return (
      <>
        <RefundDueText payment={{ ...payment, refundDue }} />
        {project && paysForLot({ payment, project }) && (
          <p>
            <TextLink to="/back-project/$id" params={{ id: String(project.id) }}>
              {surplusTexts.open(1)}
            </TextLink>
          </p>
        )}
      </>
    );
  }
  if (payment.status === "pending") {
    return (
      <>
        {payment.lateText !== null ? (
          <p className={classes.late}>{payment.lateText}</p>
        ) : (
          !isPart(payment) && <p>{payment.submittedAt ? paymentTexts.inReview(site) : paymentTexts.inReviewUnasked}</p>
        )}
        {payment.projectId !== null && <Arrival payment={payment} projectId={payment.projectId} />}
      </>
    );
  }
  return (
    <>
      <p>
        {payment.rejectionReason
          ? `We could not accept your receipt: ${payment.rejectionReason}`
          : "We could not accept your receipt."}
      </p>
      <p>Check your transfer, then send a clear receipt. Your reference stays the same.</p>
    </>
  );
}

/** True if a surplus that is due may buy another lot. The payment page knows the rest. */
const paysForLot = ({ payment, project }: { payment: OwnPayment["payment"]; project: Project }): boolean =>
  payment.refundDue === "surplus" &&
  !project.isClosed &&
  project.approvedLots < project.lots &&
  (payment.refundKobo ?? 0n) >= project.lotPriceKobo;

type Owed = Parameters<typeof refundDueText>[0];

/** The money given back, and the way to its state. A refund that nobody has made yet isn't there. */
function RefundDueText({ payment }: { payment: Owed }) {
  return (
    <>
      <p>{refundDueText(payment)}</p>
      {payment.refundKobo !== null && <MoneyLink />}
    </>
  );
}

function statusOf({ status, refundDue, roundLots }: OwnPayment["payment"]): ReactNode {
  if (refundDue) return <StatusBadge tone="caution">{refundDueLabel(refundDue, roundLots)}</StatusBadge>;
  if (status === "rejected") return <StatusBadge tone="negative">{paymentStatusLabels.rejected}</StatusBadge>;
  return <StatusBadge tone="waiting">{paymentStatusLabels.pending}</StatusBadge>;
}

/** An address ending in .mp4 is a film, of which a frame is shown. */
function ProjectFrame({ url }: { url: string }) {
  const { isMissing, onError } = useMissing(url);
  if (isMissing) return <MissingPicture className={classes.picture} />;
  if (/\.mp4$/i.test(url)) {
    return (
      <video
        className={classes.picture}
        src={`${url}#t=0.1`}
        preload="metadata"
        muted
        playsInline
        tabIndex={-1}
        aria-hidden="true"
        onError={onError}
      />
    );
  }
  return (
    <Picture
      className={classes.picture}
      src={url}
      sizes="(min-width: 48em) 15rem, calc(100vw - 2rem)"
      alt=""
      width={320}
      height={200}
      onError={onError}
    />
  );
}

/** One payment of the backer: which farm, how much, where it stands and what happens next. */
function PaymentCard({ payment, project }: OwnPayment) {
  const canSendAgain = payment.status === "rejected" && project && !payment.refundDue;
  return (
    <article className={classes.card}>
      {project && <ProjectFrame url={project.imageUrl} />}
      <div className={classes.words}>
        <div className={card.sectionHead}>
          <h3 className={classes.title}>
            {project ? (
              <Link to="/project/$id" params={{ id: String(project.id) }}>
                {project.title}
              </Link>
            ) : (
              payment.projectTitle
            )}
          </h3>
          {statusOf(payment)}
        </div>
        <NextStep payment={payment} project={project} />
        <dl className={classes.facts}>
          <div>
            <dt>Amount</dt>
            <dd className="money">{formatNaira(payment.amountKobo)}</dd>
          </div>
          {payment.lots > 1 && (
            <div>
              <dt>Lots</dt>
              <dd>{payment.lots}</dd>
            </div>
          )}
          <div>
            <dt>Reference</dt>
            <dd>
              <span className="reference">{payment.reference}</span>
            </dd>
          </div>
          {payment.submittedAt && (
            <div>
              <dt>Receipt sent</dt>
              <dd>{formatDateTime(payment.submittedAt)}</dd>
            </div>
          )}
        </dl>
        {canSendAgain && (
          <LinkButton className={classes.action} to="/back-project/$id" params={{ id: String(project.id) }}>
            Send a new receipt
          </LinkButton>
        )}
      </div>
    </article>
  );
}
