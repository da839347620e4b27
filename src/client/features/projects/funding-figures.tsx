import { formatNumber } from "#client/lib/format.ts";
import { ProgressMeter } from "#client/ui/feedback/progress-meter.tsx";
import { formatNaira, fundingPercent } from "#shared/money.ts";
import classes from "./funding.module.css";

export type FundedProject = {
  title: string;
  currentFundingKobo: bigint;
  fundingGoalKobo: bigint;
  backersCount: number;
  daysLeft: number;
  isClosed: boolean;
};

/** "12 days left to invest"; a closed project has no days. */
export function timeLeftText({ daysLeft, isClosed }: Pick<FundedProject, "daysLeft" | "isClosed">): string {
  if (isClosed) return "Project is closed";
  return `${formatNumber(daysLeft)} ${daysLeft === 1 ? "day" : "days"} left to invest`;
}

/** Raised, goal and percent, always together, with the number of backers. */
export function FundingFigures({ project }: { project: FundedProject }) {
  const percent = fundingPercent(project.currentFundingKobo, project.fundingGoalKobo);
  const raised = formatNaira(project.currentFundingKobo);
  const goal = formatNaira(project.fundingGoalKobo);
  return (
    <div>
      <p className={classes.raised}>
        <strong className="money">{raised}</strong>
        <span>
          raised of <span className="money">{goal}</span>
        </span>
      </p>
      <ProgressMeter
        percent={percent}
        label={`Funding of ${project.title}`}
        valueText={`${raised} of ${goal} raised, ${percent}%`}
      />
      <dl className={classes.figures}>
        <div>
          <dt>Funded</dt>
          <dd>{percent}%</dd>
        </div>
        <div>
          <dt>Backers</dt>
          <dd>{formatNumber(project.backersCount)}</dd>
        </div>
        <div>
          <dt>Goal</dt>
          <dd className="money">{goal}</dd>
        </div>
      </dl>
    </div>
  );
}
