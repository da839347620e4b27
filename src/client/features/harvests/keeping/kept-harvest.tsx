import { Button } from "@mantine/core";
import { useState } from "react";
import {
  collectedWords,
  collectionState,
  fullMoment,
  isShortHarvest,
  nameOf,
  photosOf,
} from "#client/features/harvests/manage/harvest-data.ts";
import { HarvestFactsList } from "#client/features/harvests/manage/harvest-facts.tsx";
import { HarvestFiles } from "#client/features/harvests/manage/harvest-files.tsx";
import { EditHarvest, type HarvestCalls } from "#client/features/harvests/manage/harvest-form.tsx";
import classes from "#client/features/harvests/manage/manage-harvests.module.css";
import { deadlineText } from "#client/features/harvests/own/own-harvest-words.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { formatDate } from "#shared/dates.ts";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";
import { KeptCosts } from "./kept-costs.tsx";
import type { KeptHarvestFacts, KeptRound } from "./use-kept-harvests.ts";

type KeptHarvestProps = { harvestId: number; round: KeptRound; calls: HarvestCalls };

/** One harvest as its farm's keepers see it: no backer, and nothing that one paid or is paid. */
export function KeptHarvest({ harvestId, round, calls }: KeptHarvestProps) {
  const query = trpc.farmHarvests.one.useQuery({ harvestId }, { staleTime: 0 });
  const addFile = trpc.farmHarvests.addFile.useMutation();
  const [isEditing, setIsEditing] = useState(false);
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
  const isDraft = harvest.state === "draft";
  return (
    <>
      <HarvestFactsList harvest={harvest} round={round} />
      <StateWords harvest={harvest} round={round} />
      {isDraft && (
        <Button className={classes.action} variant="default" onClick={() => setIsEditing(true)}>
          Edit…
        </Button>
      )}
      <EditHarvest
        harvest={harvest}
        round={round}
        calls={calls}
        opened={isEditing}
        onClose={() => setIsEditing(false)}
      />
      <HarvestFiles harvest={harvest} canAdd={isDraft} add={addFile.mutateAsync} />
      <KeptCollection harvest={harvest} />
      <KeptCosts harvest={harvest} labels={round.deductibleCosts} />
    </>
  );
}

type StateProps = { harvest: KeptHarvestFacts; round: KeptRound };

/** How it stands, and what comes next. */
function StateWords({ harvest, round }: StateProps) {
  const { state, choosesUntil, collectsUntil, allottedAt, createdAt, now } = harvest;
  const place = round.collectionPlace ? ` at ${round.collectionPlace}` : "";
  switch (state) {
    case "draft": {
      if (isShortHarvest(harvest) && photosOf(harvest).length === 0)
        return <Notice tone="caution" title={harvestTexts.shortPhoto} />;
      return (
        <p>Entered on {formatDate(createdAt)}. Backers see it once whoever runs this site opens it for choosing.</p>
      );
    }
    case "choosing":
      return choosesUntil && choosesUntil >= now ? (
        <p>Backers choose until {deadlineText(choosesUntil, now)}. What nobody chooses is sold.</p>
      ) : (
        <p>Choosing has ended. The harvest is shared out in the next minutes.</p>
      );
    case "allotted":
    case "settled":
      return (
        <p>
          {allottedAt && `Shared out on ${formatDate(allottedAt)}. `}
          {collectsUntil ? `Produce is collected until ${fullMoment(collectsUntil)}${place}.` : "Nobody takes produce."}
        </p>
      );
    case "done":
      return <p>Finished: everything of it is settled.</p>;
    case "lost":
      return <p>Declared as lost.</p>;
    case "withdrawn":
      return <p>Withdrawn, because it was entered by mistake.</p>;
  }
}

/** How far the collection is, and the way to the screen that hands produce over. Nothing where nobody takes any. */
function KeptCollection({ harvest }: { harvest: KeptHarvestFacts }) {
  const { id, projectId, state, parts } = harvest;
  const is = collectionState(harvest);
  if (is === "none" || state === "done") return null;
  return (
    <section className={classes.section} aria-label={`Collection of ${nameOf(harvest)}`}>
      <h3 className={classes.heading}>Collection</h3>
      <p>
        {collectedWords(parts)}
        {is === "over" && parts.collected < parts.takers && " The time for it is over: the rest is sold."}
      </p>
      {is === "open" && (
        <LinkButton
          to="/farm/$projectId/collect/$id"
          params={{ projectId: String(projectId), id: String(id) }}
          className={classes.action}
        >
          Hand produce over
        </LinkButton>
      )}
    </section>
  );
}
