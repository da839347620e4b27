import type { RouterOutputs } from "#client/lib/trpc.ts";
import { formatNaira } from "#shared/money.ts";
import { formatQuantity } from "#shared/projects/terms-texts.ts";
import { countLots, projectTexts } from "#shared/projects/texts.ts";
import classes from "./project-card.module.css";

type Backed = RouterOutputs["backings"]["mine"]["items"][number];

/** The reader's part of a farm that they back, what it has brought them, and what comes next. */
export function BackedSummary({ project, next }: { project: Backed; next: string | null }) {
  const { myLots, myPaidKobo, progress } = project;
  return (
    <>
      <p className={classes.figures}>
        <span>{myLots > 0 ? countLots(myLots) : "Backed"}</span>
        {myPaidKobo > 0n && <span>paid {<strong className="money">{formatNaira(myPaidKobo)}</strong>}</span>}
      </p>
      {progress && (progress.paidKobo > 0n || progress.collected > 0n) && (
        <p>
          You received{" "}
          {[
            progress.paidKobo > 0n && formatNaira(progress.paidKobo),
            progress.collected > 0n && formatQuantity(progress.collected, progress.unit),
          ]
            .filter(Boolean)
            .join(" and ")}
        </p>
      )}
      <p className={classes.next} data-urgent={next !== null || undefined}>
        {next ?? stageText(project)}
      </p>
    </>
  );
}

/** Where the farm is, for whom nothing is to do. */
function stageText({ outcome, isClosed, daysLeft, progress }: Backed): string {
  if (outcome === "not_funded") return projectTexts.notFunded;
  if (outcome === "written_off") return "This round was ended.";
  if (!progress) return isClosed ? "Sales have ended. We decide what comes next." : `Funding, ${daysLeft} days left`;
  const { counted, planned, lost, week } = progress;
  if (counted >= planned) return lost === counted ? "The harvest was lost" : "Harvested";
  return counted === 0 ? `Growing, week ${week}` : `Growing, week ${week}. ${counted} of ${planned} harvests so far`;
}
