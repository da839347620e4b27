import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { StatusBadge, type StatusTone } from "#client/ui/feedback/status-badge.tsx";
import { Surface } from "#client/ui/layout/card.tsx";
import { formatDay, startOfDay } from "#shared/dates.ts";
import {
  againstPlan,
  type RecordShare,
  type RecordSource,
  type RecordStage,
  recordSourceLabels,
  recordStageLabels,
  recordTexts as texts,
} from "#shared/farms/record.ts";
import { formatNaira } from "#shared/money.ts";
import { roundDown } from "#shared/projects/lot-produce.ts";
import { formatQuantity, unitLabels } from "#shared/projects/terms-texts.ts";
import classes from "./farm-pages.module.css";

export type RecordRound = RouterOutputs["farmPages"]["record"]["rounds"][number];
type Harvest = RecordRound["harvests"][number];

export const stageTones: Record<RecordStage, StatusTone> = {
  running: "waiting",
  finished: "positive",
  lost: "negative",
  not_funded: "closed",
  written_off: "negative",
};

/** The rounds of a farm that were decided, the newest first, bad ones as well as good ones. */
export function RecordRounds({ rounds, decided }: { rounds: RecordRound[]; decided: number }) {
  if (rounds.length === 0) return <p className={classes.fine}>{texts.none}</p>;
  return (
    <>
      <p className={classes.nothingSure}>{texts.nothingSure}</p>
      <ol className={classes.rounds}>
        {rounds.map((round, index) => (
          // A round of a project that was deleted has no id to tell it by, and the list never moves.
          <li key={`${round.projectId ?? index} ${round.round}`}>
            <Round round={round} />
          </li>
        ))}
      </ol>
      {decided > rounds.length && <p className={classes.fine}>{texts.newest(rounds.length, decided)}</p>}
    </>
  );
}

function Round({ round }: { round: RecordRound }) {
  const { projectId, title, stage, outcome, decidedOn, harvests, isFew, insurer } = round;
  const name = round.round > 1 ? `${title}, round ${round.round}` : title;
  return (
    <Surface as="article">
      <header className={classes.roundHead}>
        <h3 className={classes.roundTitle}>
          {projectId === null ? (
            name
          ) : (
            <Link to="/project/$id" params={{ id: String(projectId) }}>
              {name}
            </Link>
          )}
        </h3>
        <StatusBadge tone={stageTones[stage]}>{recordStageLabels[stage]}</StatusBadge>
      </header>
      <dl className={classes.figures}>
        <Figure label={outcome === "funded" ? "Funded" : "Decided"} source={round.lotsSource}>
          {formatDay(decidedOn)}
          {outcome !== "not_funded" && `, ${round.approvedLots} of ${round.lots} lots`}
        </Figure>
        {round.reports && (
          <Figure label="Reports" source="site">
            {round.reports.onTime} of {round.reports.counted} on time
          </Figure>
        )}
        {harvests.map((harvest) => (
          <HarvestFigure key={harvest.number} harvest={harvest} round={round} />
        ))}
        {outcome === "funded" && harvests.length === 0 && (
          <Figure label="Harvest">
            None yet{round.firstHarvestOn && `, planned around ${formatDay(round.firstHarvestOn)}`}
          </Figure>
        )}
        <Price round={round} />
        {insurer && !harvests.some(({ isInsurance }) => isInsurance) && (
          <Figure label="Insurance">By {insurer}, nothing asked for</Figure>
        )}
      </dl>
      {outcome === "not_funded" && <p className={classes.fine}>{texts.givenBack}</p>}
      {outcome === "funded" && <Shares round={round} />}
      {outcome === "funded" && isFew && <p className={classes.fine}>{texts.few}</p>}
    </Surface>
  );
}

function Figure({ label, source, children }: { label: string; source?: RecordSource; children: ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      <dd>
        <span className={classes.value}>{children}</span>
        {source && <span className={classes.source}>{recordSourceLabels[source]}</span>}
      </dd>
    </div>
  );
}

/** Shows a harvest's counted and planned quantity, its days, its reasons, and how long the money took. */
function HarvestFigure({ harvest, round }: { harvest: Harvest; round: RecordRound }) {
  const { number, isInsurance, state, counted, planned, plannedOn, happenedOn, note, lostQuantity, daysToBackers } =
    harvest;
  const { unit, plannedHarvests } = round;
  if (isInsurance) {
    return (
      <Figure label="Insurer's sum" source="owners">
        {note}
        {daysToBackers !== null && <Waited days={daysToBackers} />}
      </Figure>
    );
  }
  const label = (plannedHarvests ?? 1) > 1 || number > 1 ? `Harvest ${number}` : "Harvest";
  const isLost = state === "lost";
  const what = isLost ? "Lost, " : counted === null ? "" : `${formatQuantity(counted, unit)} of `;
  return (
    <Figure label={label} source={harvest.source}>
      {planned === null
        ? what.replace(/(, | of )$/, "")
        : `${what}${formatQuantity(roundDown(planned, unit), unit)} planned`}
      {happenedOn && <span className={classes.line}>{dayText(happenedOn, { plannedOn, isLost })}</span>}
      {lostQuantity > 0n && <span className={classes.line}>{formatQuantity(lostQuantity, unit)} lost before</span>}
      {note && <span className={classes.line}>Why: {note}</span>}
      {harvest.restLostReason && <span className={classes.line}>The rest was lost: {harvest.restLostReason}</span>}
      {daysToBackers !== null && <Waited days={daysToBackers} />}
    </Figure>
  );
}

/** A lost harvest is neither early nor late. */
function dayText(happenedOn: string, { plannedOn, isLost }: { plannedOn: string | null; isLost: boolean }): string {
  const day = formatDay(happenedOn);
  if (plannedOn === null) return day;
  const against = isLost ? "" : `, ${againstPlan(startOfDay(plannedOn), startOfDay(happenedOn))}`;
  return `${day}${against} (planned ${formatDay(plannedOn)})`;
}

const Waited = ({ days }: { days: number }) => (
  <span className={classes.line}>
    Backers had their money {days === 1 ? "1 day" : `${days} days`} after the last sale's came
  </span>
);

function Price({ round: { price, unit } }: { round: RecordRound }) {
  const { plannedKobo, reachedKobo, source } = price;
  const a = `a ${unitLabels[unit].one}`;
  if (reachedKobo === null) {
    return plannedKobo === null ? null : <Figure label="Price planned">{`${formatNaira(plannedKobo)} ${a}`}</Figure>;
  }
  return (
    <Figure label="Price reached" source={source}>
      {`${formatNaira(reachedKobo)} ${a}`}
      {plannedKobo !== null && `, planned ${formatNaira(plannedKobo)}`}
    </Figure>
  );
}

const isSomething = (share: RecordShare | null): boolean =>
  share !== null && ("kobo" in share ? share.kobo > 0n : share.percent > 0);
const shareText = (share: RecordShare): string => ("kobo" in share ? formatNaira(share.kobo) : `${share.percent}%`);

/** The backers' shares of a round. Money and produce are never one sum. */
function Shares({ round: { shares, isFew } }: { round: RecordRound }) {
  const { paid, produce, insurance, returned, onItsWay, lost } = shares;
  if (paid.share === null) return null;
  const always = [
    { label: "Money paid to backers", ...paid },
    { label: "Value of produce taken", ...produce },
  ];
  const rest = [
    { label: "Owed to backers, not paid yet", ...onItsWay },
    { label: "Paid by the insurer", ...insurance },
    { label: "Returned to backers", ...returned },
    { label: "Lost by this site", ...lost },
  ].filter(({ share }) => isSomething(share));
  return (
    <div className={classes.shares}>
      <h4 className={classes.sharesTitle}>{isFew ? texts.ofPaid : texts.perHundred}</h4>
      <dl className={classes.figures}>
        {[...always, ...rest].map(
          ({ label, share, source }) =>
            share && (
              <Figure key={label} label={label} {...(isSomething(share) && { source })}>
                <span className="money">{shareText(share)}</span>
              </Figure>
            ),
        )}
      </dl>
      <p className={classes.fine}>{texts.price}</p>
    </div>
  );
}
