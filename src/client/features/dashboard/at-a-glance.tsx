import type { ReactNode } from "react";
import { formatCount, formatNumber } from "#client/lib/format.ts";
import { can, useViewer } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { formatNaira } from "#shared/money.ts";
import { ApprovalsChart } from "./approvals-chart.tsx";
import classes from "./glance.module.css";

/** How things stand: open projects, and for those who may view payments the money. Nothing where it can't be told. */
export function AtAGlance() {
  const mayViewMoney = can(useViewer(), "payments:view");
  const counts = trpc.dashboard.counts.useQuery(undefined, { staleTime: 0 });
  const money = trpc.dashboard.money.useQuery(undefined, { enabled: mayViewMoney, staleTime: 0 });
  // The table below says what went wrong, and has the button to try again.
  if (counts.isError || money.isError) return null;
  return (
    <section className={classes.glance} aria-label="At a glance" data-money={mayViewMoney || undefined}>
      <Figure
        label="Open projects"
        value={counts.data && formatNumber(counts.data.open)}
        note={counts.data && `${formatNumber(counts.data.closed)} closed`}
      />
      {mayViewMoney && (
        <>
          <Figure
            label="Pending review"
            value={money.data && formatNaira(money.data.pending.kobo)}
            note={money.data && formatCount(money.data.pending.count, "receipt")}
          />
          <Figure
            label="Approved this month"
            value={money.data && formatNaira(money.data.approvedThisMonth.kobo)}
            note={money.data && formatCount(money.data.approvedThisMonth.count, "payment")}
          />
          <div className={classes.chart}>
            {money.data ? <ApprovalsChart weeks={money.data.weeks} /> : <Skeleton height="7.5rem" />}
          </div>
        </>
      )}
    </section>
  );
}

function Figure({ label, value, note }: { label: string; value: ReactNode; note: ReactNode }) {
  return (
    <div className={classes.figure}>
      <p className={classes.label}>{label}</p>
      <p className={classes.value}>{value ?? <Skeleton width="6rem" height="1.75rem" />}</p>
      <p className={classes.note}>{note ?? <Skeleton width="4rem" height="0.875rem" />}</p>
    </div>
  );
}
