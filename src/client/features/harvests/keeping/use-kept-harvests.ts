import type { HarvestCalls } from "#client/features/harvests/manage/harvest-form.tsx";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";

/** A keeper's view of one harvest, and of its round. */
export type KeptHarvestFacts = RouterOutputs["farmHarvests"]["one"];
export type KeptRound = RouterOutputs["farmHarvests"]["ofProject"]["rounds"][number];

/** The calls by which a keeper enters harvests. */
export function useKeptHarvests(): HarvestCalls {
  const draft = trpc.farmHarvests.draft.useMutation();
  const change = trpc.farmHarvests.change.useMutation();
  return {
    create: draft.mutateAsync,
    update: change.mutateAsync,
    draftHint: "It is a draft at first: backers see it once whoever runs this site opens it for choosing.",
  };
}
