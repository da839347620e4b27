import { Button } from "@mantine/core";
import { useState } from "react";
import { useLive } from "#client/lib/live.ts";
import { useCan } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ExportMenu } from "#client/shared-parts/export-menu.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { HarvestCard } from "./harvest-card.tsx";
import { NewHarvest, NewInsurance, useManagedHarvests } from "./harvest-form.tsx";
import classes from "./manage-harvests.module.css";

/** On the management of a project: its harvests from the first entry to the last settlement. */
export default function ManageHarvests({ projectId }: { projectId: number }) {
  const query = trpc.harvests.ofProject.useQuery({ projectId }, { staleTime: 0 });
  const utils = trpc.useUtils();
  useLive("harvests", (ofProject) => {
    if (ofProject === null || ofProject === projectId) void utils.harvests.invalidate();
  });
  // What is asked of a second person, and what they said, is told by a notification.
  useLive("notifications", () => void utils.secondPerson.list.invalidate());
  const calls = useManagedHarvests();
  const mayManage = useCan("harvests:manage");
  const [entering, setEntering] = useState<"harvest" | "insurance" | null>(null);
  if (!query.data) {
    if (!query.isError) {
      return (
        <Loading label="Loading harvests">
          <Skeleton height="16rem" radius="var(--mantine-radius-lg)" />
        </Loading>
      );
    }
    return <LoadFailed query={query} title={texts.loadFailed} />;
  }
  const { rounds, harvests } = query.data;
  if (rounds.length === 0) {
    return (
      <EmptyState
        picture="/art/step-harvest.svg"
        title="No round of this project is funded yet"
        text="Once one is, what its farm harvests is entered here, and its backers choose what to do with their share."
      />
    );
  }
  const buttons = mayManage && (
    <ButtonRow>
      <Button onClick={() => setEntering("harvest")}>New harvest</Button>
      <Button variant="default" onClick={() => setEntering("insurance")}>
        New insurance sum
      </Button>
    </ButtonRow>
  );
  const close = () => setEntering(null);
  return (
    <>
      {harvests.length === 0 ? (
        <EmptyState
          picture="/art/step-harvest.svg"
          title="No harvest yet"
          text="Enter here what the farm has harvested. Then its backers choose to take their share, donate it or have it sold."
          action={buttons}
        />
      ) : (
        <>
          <div className={classes.above}>
            {buttons}
            <ExportMenu
              tables={[
                { name: "harvests", label: "Harvests", filter: { projectId } },
                { name: "harvest-parts", label: "Who got what", filter: { projectId } },
              ]}
            />
          </div>
          <ul className={classes.harvests}>
            {harvests.map((harvest) => {
              const round = rounds.find((one) => one.round === harvest.round);
              // A round with a harvest stays funded.
              if (!round) throw new Error(`round ${harvest.round} of harvest ${harvest.id} is missing`);
              return (
                <li key={harvest.id}>
                  <HarvestCard head={harvest} round={round} />
                </li>
              );
            })}
          </ul>
        </>
      )}
      <NewHarvest opened={entering === "harvest"} projectId={projectId} rounds={rounds} calls={calls} onClose={close} />
      <NewInsurance opened={entering === "insurance"} projectId={projectId} rounds={rounds} onClose={close} />
    </>
  );
}
