import { Button } from "@mantine/core";
import { formatCount } from "#client/lib/format.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { filterNames } from "#shared/projects/filters-texts.ts";
import { projectLimits, projectTexts } from "#shared/projects/texts.ts";
import { type DiscoverSearch, toListInput } from "./discover-search.ts";

type LooseFilter = NonNullable<RouterOutputs["projects"]["looseFilter"]["best"]>["filter"];

type NothingFoundProps = {
  filters: DiscoverSearch;
  onChange: (changed: DiscoverSearch) => void;
  onReset: () => void;
};

/** The change of the address that removes a filter. */
const withoutFilter: Record<LooseFilter, DiscoverSearch> = {
  search: { search: undefined },
  category: { category: undefined },
  state: { state: undefined },
  maxLotPrice: { price: undefined },
  firstHarvestUntil: { until: undefined },
  hasRecord: { record: undefined },
  isInsured: { insured: undefined },
  hasFreeLots: { free: undefined },
};

/** No project fits: the one filter without which most would, and the way to all of them. */
export default function NothingFound({ filters, onChange, onReset }: NothingFoundProps) {
  const { sort: _, ...input } = toListInput(filters);
  const best = trpc.projects.looseFilter.useQuery(input).data?.best;
  const count =
    best && best.total >= projectLimits.counted
      ? `${projectLimits.counted}+ projects`
      : formatCount(best?.total ?? 0, "project");
  return (
    <EmptyState
      picture="/art/empty-projects.svg"
      title={projectTexts.noneInCategory}
      text={
        best
          ? `Without “${filterNames[best.filter](input)}” there is something to see.`
          : "Another word, category or closed projects may have what you look for."
      }
      action={
        <ButtonRow>
          {best && <Button onClick={() => onChange(withoutFilter[best.filter])}>{`Leave it out: ${count}`}</Button>}
          <Button variant="default" onClick={onReset}>
            Reset filters
          </Button>
        </ButtonRow>
      }
    />
  );
}
