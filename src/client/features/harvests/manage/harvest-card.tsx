import { useRef, useState } from "react";
import { deadlineText } from "#client/features/harvests/own/own-harvest-words.ts";
import { errorText } from "#client/lib/errors.ts";
import { can, useViewer } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { StatusBadge, type StatusTone } from "#client/ui/feedback/status-badge.tsx";
import { formatDate } from "#shared/dates.ts";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { type HarvestState, harvestStateLabels, harvestTexts } from "#shared/harvests/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { formatQuantity, unitLabels } from "#shared/projects/terms-texts.ts";
import { Collection } from "./collection.tsx";
import { Costs } from "./costs.tsx";
import { FocusHome } from "./form-dialog.tsx";
import { DeclareLost, HarvestActions, isNothing } from "./harvest-actions.tsx";
import { HarvestBackers } from "./harvest-backers.tsx";
import {
  fullMoment,
  type HarvestHead,
  type HarvestProps,
  type HarvestRound,
  isAllotted,
  nameOf,
  percentOfPlan,
  photosOf,
  planOf,
  shortPercent,
  takesAdvances,
} from "./harvest-data.ts";
import { HarvestFiles } from "./harvest-files.tsx";
import { LoseCosts } from "./lose-costs.tsx";
import classes from "./manage-harvests.module.css";
import { Sales } from "./sales.tsx";
import { Settlements } from "./settlements.tsx";

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

/** One harvest, from its entry to its last settlement. One that is over is folded, and asks for nothing before it is opened. */
export function HarvestCard({ head, round }: { head: HarvestHead; round: HarvestRound }) {
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
        {isOpen && (
          <div className={classes.body}>
            <HarvestBody harvestId={head.id} round={round} />
          </div>
        )}
      </details>
    </FocusHome>
  );
}

function HarvestBody({ harvestId, round }: { harvestId: number; round: HarvestRound }) {
  const viewer = useViewer();
  const query = trpc.harvests.one.useQuery({ harvestId }, { staleTime: 0 });
  const harvest = query.data;
  if (!harvest) {
    if (!query.isError) {
      return (
        <Loading label="Loading the harvest">
          <Skeleton height="12rem" radius="var(--mantine-radius-md)" />
        </Loading>
      );
    }
    return (
      <ErrorState
        title={texts.oneLoadFailed}
        text={errorText(query.error)}
        onRetry={() => void query.refetch()}
        isRetrying={query.isRefetching}
      />
    );
  }
  const { state, parts } = harvest;
  const isGone = state === "withdrawn" || state === "lost";
  const props = { harvest, round };
  return (
    <>
      <Facts {...props} />
      <StateWords {...props} />
      <HarvestActions {...props} />
      <HarvestFiles harvest={harvest} />
      {parts.count > 0 && !isGone && <HarvestBackers {...props} />}
      <Collection harvest={harvest} />
      <Costs {...props} />
      {(isAllotted(harvest) || takesAdvances(harvest)) && <Sales {...props} />}
      {viewer && can(viewer, "harvests:settle") && (isGone ? <LoseCosts {...props} /> : <Settlements {...props} />)}
      {!isNothing(harvest) && <DeclareLost {...props} />}
    </>
  );
}

/** Plan against what came, and what was said about it. */
function Facts({ harvest, round }: HarvestProps) {
  const { quantity, lostQuantity, referencePriceKobo, note } = harvest;
  const plan = planOf(round);
  const percent = quantity === null ? null : percentOfPlan(quantity, round);
  // The longer of the two bars is the whole width.
  const [, most = 0n] = [plan ?? 0n, quantity ?? 0n].sort((a, b) => (a < b ? -1 : 1));
  const bar = (part: bigint) => (
    <span className={classes.track} aria-hidden="true">
      <span className={classes.bar} style={{ width: `${most === 0n ? 0 : Number((part * 1000n) / most) / 10}%` }} />
    </span>
  );
  return (
    <>
      {quantity !== null && (
        <dl className={classes.plan}>
          {plan !== null && (
            <div data-planned>
              <dt>Planned</dt>
              <dd>{formatQuantity(plan, round.unit)}</dd>
              {bar(plan)}
            </div>
          )}
          <div>
            <dt>Harvested</dt>
            <dd>
              {formatQuantity(quantity, round.unit)}
              {percent !== null && ` (${percent}%)`}
            </dd>
            {plan !== null && bar(quantity)}
          </div>
          {lostQuantity > 0n && (
            <div>
              <dt>Lost before</dt>
              <dd>{formatQuantity(lostQuantity, round.unit)}</dd>
            </div>
          )}
          {referencePriceKobo !== null && (
            <div>
              <dt>Price used for estimates</dt>
              <dd>
                {formatNaira(referencePriceKobo)} a {unitLabels[round.unit].one}
              </dd>
            </div>
          )}
        </dl>
      )}
      {note && <p className={classes.note}>{note}</p>}
    </>
  );
}

/** How it stands, and what comes next. */
function StateWords({ harvest, round }: HarvestProps) {
  const { state, quantity, parts, choosesUntil, collectsUntil, allottedAt, isInsurance, now } = harvest;
  switch (state) {
    case "draft": {
      if (isInsurance) return <p>Enter the sum below. Once it has arrived it can be settled.</p>;
      const isShort = quantity !== null && (percentOfPlan(quantity, round) ?? shortPercent) < shortPercent;
      if (quantity !== 0n && isShort && photosOf(harvest).length === 0) {
        return <Notice tone="caution" title={harvestTexts.shortPhoto} />;
      }
      return <p>Entered on {formatDate(harvest.createdAt)}. Backers don't see it yet.</p>;
    }
    case "choosing": {
      if (choosesUntil === null) return null;
      if (choosesUntil < now) {
        return <p>Choosing ended on {fullMoment(choosesUntil)}. The harvest is shared out in the next minutes.</p>;
      }
      return (
        <p>
          Backers choose until {deadlineText(choosesUntil, now)}. {parts.chosen} of {parts.count}{" "}
          {parts.chosen === 1 ? "has" : "have"} chosen; what nobody chooses is sold.
        </p>
      );
    }
    case "allotted":
    case "settled":
      return (
        <p>
          {allottedAt && `Shared out on ${formatDate(allottedAt)}. `}
          {collectsUntil && `Produce is collected until ${fullMoment(collectsUntil)}${placeOf(round.collectionPlace)}.`}
          {!collectsUntil && !isInsurance && "Nobody takes produce."}
        </p>
      );
    case "done":
      return (
        harvest.doneAt && (
          <>
            <p>Finished on {formatDate(harvest.doneAt)}.</p>
            {harvest.restLostReason && <p>The rest of it is lost: {harvest.restLostReason}</p>}
            {harvest.costsLostAt && <p>What nothing brought back of the platform's costs was booked as a loss.</p>}
          </>
        )
      );
    case "lost":
      return (
        harvest.lostAt && (
          <>
            <p>Declared as lost on {formatDate(harvest.lostAt)}.</p>
            <LostCosts harvest={harvest} />
          </>
        )
      );
    case "withdrawn":
      return (
        harvest.withdrawnAt && (
          <>
            <p>Withdrawn on {formatDate(harvest.withdrawnAt)}.</p>
            <LostCosts harvest={harvest} />
          </>
        )
      );
  }
}

const LostCosts = ({ harvest: { costsLostAt } }: Pick<HarvestProps, "harvest">) =>
  costsLostAt && <p>What the platform had paid for it was booked as a loss on {formatDate(costsLostAt)}.</p>;
const placeOf = (place: string) => (place ? ` at ${place}` : "");
