import type { ReactNode } from "react";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { StatusBadge, type StatusTone } from "#client/ui/feedback/status-badge.tsx";
import { type FarmPastState, farmPastStateLabels, pastFigures, pastYears } from "#shared/farm-past/texts.ts";
import classes from "./farm-past.module.css";

type Past = RouterOutputs["farmPast"]["kept"][number];

const tones: Record<FarmPastState, StatusTone> = {
  waiting: "waiting",
  confirmed: "positive",
  refused: "negative",
  taken_down: "closed",
};

/** An entry of a farm's past, with its evidence and its state. `children` are its actions. */
export function PastEntry({ past, children }: { past: Past; children?: ReactNode }) {
  const { farmed, outcome, paidBy, evidence, state, reason, files } = past;
  const figures = pastFigures(past);
  const name = `${pastYears(past)}: ${farmed}`;
  return (
    <li>
      <div className={classes.head}>
        <h3 className={classes.title}>{name}</h3>
        <StatusBadge tone={tones[state]}>{farmPastStateLabels[state]}</StatusBadge>
      </div>
      <p>{outcome}</p>
      {figures && <p>{figures}</p>}
      <p className={classes.fine}>Paid for by: {paidBy}</p>
      <p className={classes.fine}>Evidence: {evidence}</p>
      <ul className={classes.files} aria-label={`Evidence of ${name}`}>
        {files.map(({ id, isPhoto }, index) => (
          <li key={id}>
            <a href={`/files/farm-past/${id}`} target="_blank" rel="noreferrer">
              {isPhoto ? "Photo" : "Document"} {index + 1} of {files.length}
            </a>
          </li>
        ))}
      </ul>
      {reason && <p>{state === "confirmed" ? `Confirmed alone: ${reason}` : `Why: ${reason}`}</p>}
      {children}
    </li>
  );
}
