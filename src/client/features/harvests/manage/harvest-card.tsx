import { deadlineText } from "#client/features/harvests/own/own-harvest-words.ts";
import { useCan } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { formatDate } from "#shared/dates.ts";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";
import { Collection } from "./collection.tsx";
import { Costs } from "./costs.tsx";
import { DeclareLost, HarvestActions, isNothing } from "./harvest-actions.tsx";
import { HarvestBackers } from "./harvest-backers.tsx";
import {
  fullMoment,
  type HarvestHead,
  type HarvestProps,
  type HarvestRound,
  isAllotted,
  isShortHarvest,
  photosOf,
  takesAdvances,
} from "./harvest-data.ts";
import { HarvestFactsList } from "./harvest-facts.tsx";
import { HarvestFiles } from "./harvest-files.tsx";
import { HarvestFrame } from "./harvest-frame.tsx";
import { LoseCosts } from "./lose-costs.tsx";
import { Sales } from "./sales.tsx";
import { Settlements } from "./settlements.tsx";

/** One harvest, from its entry to its last settlement. */
export const HarvestCard = ({ head, round }: { head: HarvestHead; round: HarvestRound }) => (
  <HarvestFrame head={head} round={round}>
    <HarvestBody harvestId={head.id} round={round} />
  </HarvestFrame>
);

function HarvestBody({ harvestId, round }: { harvestId: number; round: HarvestRound }) {
  const mayManage = useCan("harvests:manage");
  const maySettle = useCan("harvests:settle");
  const query = trpc.harvests.one.useQuery({ harvestId }, { staleTime: 0 });
  const addFile = trpc.harvests.addFile.useMutation();
  const harvest = query.data;
  if (!harvest) {
    if (!query.isError) {
      return (
        <Loading label="Loading the harvest">
          <Skeleton height="12rem" radius="var(--mantine-radius-md)" />
        </Loading>
      );
    }
    return <LoadFailed query={query} title={texts.oneLoadFailed} />;
  }
  const { state, parts } = harvest;
  const isGone = state === "withdrawn" || state === "lost";
  const props = { harvest, round };
  return (
    <>
      <HarvestFactsList {...props} />
      <StateWords {...props} />
      {mayManage && <HarvestActions {...props} />}
      <HarvestFiles harvest={harvest} canAdd={mayManage && state !== "withdrawn"} add={addFile.mutateAsync} />
      {parts.count > 0 && !isGone && <HarvestBackers {...props} />}
      <Collection harvest={harvest} />
      <Costs {...props} />
      {(isAllotted(harvest) || takesAdvances(harvest)) && <Sales {...props} />}
      {isGone ? maySettle && <LoseCosts {...props} /> : <Settlements {...props} />}
      {mayManage && !isNothing(harvest) && <DeclareLost {...props} />}
    </>
  );
}

/** How it stands, and what comes next. */
function StateWords({ harvest, round }: HarvestProps) {
  const { state, quantity, parts, choosesUntil, collectsUntil, allottedAt, isInsurance, now } = harvest;
  switch (state) {
    case "draft": {
      if (isInsurance) return <p>Enter the sum below. Once it has arrived it can be settled.</p>;
      if (quantity !== 0n && isShortHarvest(harvest) && photosOf(harvest).length === 0) {
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
