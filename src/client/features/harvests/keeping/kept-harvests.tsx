import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useState } from "react";
import { NewHarvest } from "#client/features/harvests/manage/harvest-form.tsx";
import { HarvestFrame } from "#client/features/harvests/manage/harvest-frame.tsx";
import classes from "#client/features/harvests/manage/manage-harvests.module.css";
import { trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { KeptHarvest } from "./kept-harvest.tsx";
import { useKeptHarvests } from "./use-kept-harvests.ts";

/** The harvests of a farm's project, for its keepers: drafts, costs, and the way to hand produce over. */
export default function KeptHarvests({ projectId }: { projectId: number }) {
  const query = trpc.farmHarvests.ofProject.useQuery({ projectId }, { staleTime: 0 });
  const calls = useKeptHarvests();
  const [isEntering, setIsEntering] = useState(false);
  if (!query.data) {
    if (!query.isError) {
      return (
        <Loading label="Loading harvests">
          <Skeleton height="4rem" />
          <Skeleton height="16rem" radius="var(--mantine-radius-lg)" />
        </Loading>
      );
    }
    return <LoadFailed query={query} level={1} title={texts.loadFailed} />;
  }
  const { title, rounds, harvests } = query.data;
  const enter = <Button onClick={() => setIsEntering(true)}>New harvest</Button>;
  return (
    <>
      <LinkButton
        to="/farm"
        variant="subtle"
        size="sm"
        className={classes.back}
        leftSection={<IconArrowLeft size={18} aria-hidden="true" />}
      >
        My farms
      </LinkButton>
      <PageHead title="Harvests" text={title} />
      {rounds.length === 0 && (
        <EmptyState
          picture="/art/step-harvest.svg"
          title="No round of this project is funded yet"
          text="Once one is, enter here what the farm has harvested."
        />
      )}
      {rounds.length > 0 && harvests.length === 0 && (
        <EmptyState
          picture="/art/step-harvest.svg"
          title="No harvest yet"
          text="Enter here what the farm has harvested. It is checked, and then its backers choose."
          action={enter}
        />
      )}
      {harvests.length > 0 && (
        <>
          <div className={classes.above}>{enter}</div>
          <ul className={classes.harvests}>
            {harvests.map((harvest) => {
              const round = rounds.find((one) => one.round === harvest.round);
              // A round with a harvest stays funded.
              if (!round) throw new Error(`round ${harvest.round} of harvest ${harvest.id} is missing`);
              return (
                <li key={harvest.id}>
                  <HarvestFrame head={harvest} round={round}>
                    <KeptHarvest harvestId={harvest.id} round={round} calls={calls} />
                  </HarvestFrame>
                </li>
              );
            })}
          </ul>
        </>
      )}
      {rounds.length > 0 && (
        <NewHarvest
          opened={isEntering}
          projectId={projectId}
          rounds={rounds}
          calls={calls}
          onClose={() => setIsEntering(false)}
        />
      )}
    </>
  );
}
