import { type ReactNode, useRef, useState } from "react";
import { StatusBadge, type StatusTone } from "#client/ui/feedback/status-badge.tsx";
import { type HarvestState, harvestStateLabels } from "#shared/harvests/texts.ts";
import { formatQuantity } from "#shared/projects/terms-texts.ts";
import { FocusHome } from "./form-dialog.tsx";
import { type HarvestHead, type HarvestRound, nameOf } from "./harvest-data.ts";
import classes from "./manage-harvests.module.css";

const tones: Record<HarvestState, StatusTone> = {
  draft: "neutral",
  choosing: "waiting",
  allotted: "waiting",
  settled: "positive",
  done: "closed",
  lost: "negative",
  withdrawn: "neutral",
};

const isOver = (state: HarvestState) => state === "done" || state === "lost" || state === "withdrawn";

type HarvestFrameProps = { head: HarvestHead; round: Pick<HarvestRound, "unit">; children: ReactNode };

/** The card of a harvest. One that is over is folded, and asks for nothing before it is opened. */
export function HarvestFrame({ head, round, children }: HarvestFrameProps) {
  const { state, isInsurance, quantity } = head;
  const [isOpen, setIsOpen] = useState(!isOver(state));
  const summary = useRef<HTMLElement>(null);
  return (
    <FocusHome value={() => summary.current?.focus()}>
      <details
        className={classes.card}
        open={isOpen}
        onToggle={({ currentTarget, target }) => currentTarget === target && setIsOpen(currentTarget.open)}
      >
        <summary className={classes.head} ref={summary}>
          <h2 className={classes.title}>{nameOf(head)}</h2>
          <StatusBadge tone={tones[state]}>
            {isInsurance && state === "draft" ? "Open" : harvestStateLabels[state]}
          </StatusBadge>
          <span className={classes.fine}>
            Round {head.round}
            {quantity !== null && `, ${formatQuantity(quantity, round.unit)}`}
          </span>
        </summary>
        {isOpen && <div className={classes.body}>{children}</div>}
      </details>
    </FocusHome>
  );
}
