import { trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { farmReleaseTexts as texts } from "#shared/payouts/releases-texts.ts";
import { FarmAccount } from "./farm-account.tsx";

/** On the page of a farm, for owners: the account that its money goes to. */
export default function AccountCard({ farmId }: { farmId: number }) {
  const query = trpc.farmReleases.account.useQuery({ farmId }, { staleTime: 0 });
  if (query.data) {
    return (
      <SectionCard title="Account">
        <FarmAccount farm={query.data} />
      </SectionCard>
    );
  }
  if (!query.isError) return null;
  return <LoadFailed query={query} title={texts.accountLoadFailed} />;
}
