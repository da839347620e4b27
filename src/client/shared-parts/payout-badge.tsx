import { StatusBadge, type StatusTone } from "#client/ui/feedback/status-badge.tsx";
import { type PayoutLabels, type PayoutState, payoutStateLabels } from "#shared/payouts/texts.ts";

const tones: Record<PayoutState | "overdue" | "refused", StatusTone> = {
  waiting: "caution",
  due: "waiting",
  overdue: "negative",
  in_run: "waiting",
  sent: "waiting",
  paid: "positive",
  failed: "negative",
  refused: "neutral",
  cancelled: "neutral",
};

type PayoutBadgeProps = {
  payout: { state: PayoutState; isOverdue?: boolean; isRefused?: boolean };
  labels?: PayoutLabels;
};

/** Where a payout stands. One that is overdue says so first, whatever it waits for. */
export function PayoutBadge({ payout, labels = payoutStateLabels }: PayoutBadgeProps) {
  const shown = payout.isOverdue ? "overdue" : payout.isRefused ? "refused" : payout.state;
  return <StatusBadge tone={tones[shown]}>{labels[shown]}</StatusBadge>;
}
