import { trpc } from "#client/lib/trpc.ts";
import { farmPastTexts as texts } from "#shared/farm-past/texts.ts";
import { PastCard } from "./past-card.tsx";
import { PastEntry } from "./past-entry.tsx";
import { WithdrawPast } from "./withdraw-past.tsx";

/** On /farm: what a farm tells of earlier years, for its keeper. */
export default function KeptPast({ farmId, farm }: { farmId: number; farm: string }) {
  const utils = trpc.useUtils();
  const query = trpc.farmPast.kept.useQuery({ farmId }, { staleTime: 0 });
  const enter = trpc.farmPast.enterAsKeeper.useMutation({ onSettled: () => utils.farmPast.invalidate() });
  const withdraw = trpc.farmPast.withdrawAsKeeper.useMutation({ onSettled: () => utils.farmPast.invalidate() });
  return (
    <PastCard title={`${farm}: ${texts.before}`} query={query} enter={(told) => enter.mutateAsync({ ...told, farmId })}>
      {(past) => (
        <PastEntry key={past.id} past={past}>
          {past.state === "waiting" && <WithdrawPast withdraw={() => withdraw.mutateAsync({ pastId: past.id })} />}
        </PastEntry>
      )}
    </PastCard>
  );
}
