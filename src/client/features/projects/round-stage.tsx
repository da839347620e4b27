import { formatNaira } from "#shared/money.ts";
import { formatQuantity } from "#shared/projects/terms-texts.ts";
import type { RoundProgress } from "#shared/projects/texts.ts";
import classes from "./project-page.module.css";

/** Where a funded farm is: funded, growing since so many weeks, or harvested; and what its backers have received. */
export function RoundStage({ progress }: { progress: RoundProgress }) {
  const isOver = progress.counted >= progress.planned;
  const stages = ["Funding", growingText(progress, isOver), harvestedText(progress, isOver)];
  const current = isOver ? 2 : 1;
  return (
    <>
      <ol className={classes.stages} aria-label="Where the farm is">
        {stages.map((stage, place) => (
          <li
            key={stage}
            aria-current={place === current ? "step" : undefined}
            data-done={place < current || undefined}
          >
            {stage}
          </li>
        ))}
      </ol>
      <p>{receivedText(progress)}</p>
    </>
  );
}

const growingText = ({ week }: RoundProgress, isOver: boolean): string =>
  isOver ? "Growing" : `Growing, week ${week}`;

function harvestedText({ planned, counted, lost }: RoundProgress, isOver: boolean): string {
  if (isOver) return lost === counted ? "Lost" : "Harvested";
  return counted === 0 ? "Harvest" : `Harvest, ${counted} of ${planned} so far`;
}

function receivedText({ counted, lost, paidKobo, collected, unit }: RoundProgress): string {
  const received = [
    paidKobo > 0n && formatNaira(paidKobo),
    collected > 0n && `${formatQuantity(collected, unit)} of produce`,
  ].filter((part) => part !== false);
  if (received.length > 0) return `Backers have received ${received.join(" and ")}.`;
  if (counted === 0) return "Nothing is harvested yet.";
  return lost === counted
    ? "The harvest was lost. Backers have received nothing of it."
    : "Backers have received nothing yet.";
}
