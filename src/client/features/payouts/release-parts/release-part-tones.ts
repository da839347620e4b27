import type { StatusTone } from "#client/ui/feedback/status-badge.tsx";
import type { ReleasePartState } from "#shared/payouts/release-parts-texts.ts";

/** How the state of a part of a round's money is coloured. */
export const releasePartTones: Record<ReleasePartState, StatusTone> = {
  planned: "neutral",
  asked: "waiting",
  refused: "negative",
  checked: "positive",
  released: "waiting",
  paid: "positive",
  skipped: "closed",
};
