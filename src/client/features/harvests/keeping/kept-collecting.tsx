import { backLook, Collecting } from "#client/features/harvests/manage/collecting.tsx";
import type { CollectingCalls } from "#client/features/harvests/manage/collecting-steps.tsx";
import { trpc } from "#client/lib/trpc.ts";
import { LinkButton } from "#client/ui/layout/link-button.tsx";

/** The screen of a farm's keeper who hands a harvest's produce out. */
export default function KeptCollecting({ harvestId }: { harvestId: number }) {
  const query = trpc.farmHarvests.collection.useQuery({ harvestId }, { staleTime: 0 });
  const { client } = trpc.useUtils();
  const calls: CollectingCalls = {
    find: (code) => client.farmHarvests.findProduce.mutate({ harvestId, code }),
    collect: (code) => client.farmHarvests.collect.mutate({ harvestId, code }),
  };
  return (
    <Collecting
      query={query}
      calls={calls}
      back={({ projectId }) => (
        <LinkButton to="/farm/$projectId/harvests" params={{ projectId: String(projectId) }} {...backLook}>
          Back to the harvests
        </LinkButton>
      )}
    />
  );
}
