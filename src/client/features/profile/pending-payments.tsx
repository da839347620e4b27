import { trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/feedback/empty-state.tsx";
import { ErrorState } from "#client/ui/feedback/error-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import classes from "./payment-card.module.css";
import { type OwnPayment, PaymentCard } from "./payment-card.tsx";

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
    return (
      <ErrorState
        title="Your payments could not be loaded."
        text="Nothing you sent was lost."
        onRetry={() => void query.refetch()}
        isRetrying={query.isRefetching}
      />
    );
  }
  const { pending, rejected } = query.data;
  return (
    <>
      {pending.length > 0 ? (
        <>
          <h2 className="visually-hidden">Waiting for review</h2>
          <PaymentList payments={pending} />
        </>
      ) : (
        rejected.length === 0 && (
          <EmptyState
            picture="/art/empty-pending.svg"
            title="Nothing is waiting for approval"
            text="When you have sent a receipt, you can see here where it stands."
            action={<LinkButton to="/discover">Discover projects</LinkButton>}
          />
        )
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
