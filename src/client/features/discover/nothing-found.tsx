import { Button } from "@mantine/core";
import { formatCount } from "#client/lib/format.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { formatDay } from "#shared/dates.ts";
import { formatNaira, nairaToKobo } from "#shared/money.ts";
import { categoryName } from "#shared/projects/categories.ts";
import { projectLimits, projectTexts } from "#shared/projects/texts.ts";
import { type DiscoverSearch, toListInput } from "./discover-search.ts";

type LooseFilter = NonNullable<RouterOutputs["projects"]["looseFilter"]["best"]>["filter"];

type NothingFoundProps = {
  filters: DiscoverSearch;
  onChange: (changed: DiscoverSearch) => void;
  onReset: () => void;
};

/** What takes a filter out of the address, and how it is called. */
const filterOf: Record<LooseFilter, { off: DiscoverSearch; name: (filters: DiscoverSearch) => string }> = {
  search: { off: { search: undefined }, name: ({ search }) => search ?? "" },
  category: { off: { category: undefined }, name: ({ category }) => categoryName(category ?? null) },
  state: { off: { state: undefined }, name: ({ state }) => state ?? "" },
  maxLotPrice: { off: { price: undefined }, name: ({ price = 0 }) => `up to ${formatNaira(nairaToKobo(price))} a lot` },
  firstHarvestUntil: { off: { until: undefined }, name: ({ until = "" }) => `harvest by ${formatDay(until)}` },
  hasRecord: { off: { record: undefined }, name: () => "a finished round" },
  isInsured: { off: { insured: undefined }, name: () => "insurance" },
  hasFreeLots: { off: { free: undefined }, name: () => "lots free now" },
};

/** No project fits: the one filter without which most would, and the way to all of them. */
export default function NothingFound({ filters, onChange, onReset }: NothingFoundProps) {
  const { sort: _, ...input } = toListInput(filters);
  const best = trpc.projects.looseFilter.useQuery(input).data?.best;
  const loose = best && { ...filterOf[best.filter], total: best.total };
  const count =
    loose && loose.total >= projectLimits.counted
      ? `${projectLimits.counted}+ projects`
      : formatCount(loose?.total ?? 0, "project");
  return (
    <EmptyState
      picture="/art/empty-projects.svg"
      title={projectTexts.noneInCategory}
      text={
        loose
          ? `Without “${loose.name(filters)}” there is something to see.`
          : "Another word, category or closed projects may have what you look for."
      }
      action={
        <ButtonRow>
          {loose && <Button onClick={() => onChange(loose.off)}>{`Leave it out: ${count}`}</Button>}
          <Button variant="default" onClick={onReset}>
            Reset filters
          </Button>
        </ButtonRow>
      }
    />
  );
}
