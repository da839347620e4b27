import { trpc } from "#client/lib/trpc.ts";
import { Agreements } from "#client/shared-parts/agreements.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { consentTexts } from "#shared/site/consent-texts.ts";

/** The reader's agreements, word for word. */
export function AgreementsCard() {
  const query = trpc.site.ownAgreements.useQuery(undefined, { staleTime: 0 });
  return (
    <SectionCard title={consentTexts.agreements} text={consentTexts.agreementsHint}>
      <Agreements query={query} empty={consentTexts.noneOfYours} />
    </SectionCard>
  );
}
