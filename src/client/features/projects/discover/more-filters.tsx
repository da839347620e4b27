import "#client/ui/mantine/fields.css";
import { Button, NativeSelect } from "@mantine/core";
import type { ReactNode } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { Surface } from "#client/ui/layout/card.tsx";
import { FilterToggle } from "#client/ui/layout/filter-nav.tsx";
import { dayInLagos, formatDay } from "#shared/dates.ts";
import { nigerianStates } from "#shared/farms/texts.ts";
import { formatNaira, nairaToKobo } from "#shared/money.ts";
import { discoverPrices, projectLimits } from "#shared/projects/texts.ts";
import classes from "./discover-filters.module.css";
import { type DiscoverSearch, toListInput } from "./discover-search.ts";

type MoreFiltersProps = {
  filters: DiscoverSearch;
  onChange: (changed: DiscoverSearch) => void;
  /** Leads to what is found. */
  onShow: () => void;
};

/** So many months to come can be the last for the first harvest. */
const monthsAhead = 12;

/**
 * Filters that narrow the list further. Each choice is in the address at once, and the button says how many projects
 * are left.
 */
export default function MoreFilters({ filters, onChange, onShow }: MoreFiltersProps) {
  const { sort: _, ...input } = toListInput(filters);
  const query = trpc.projects.count.useQuery(input, { placeholderData: (before) => before });
  /** Chooses it, or takes it away again. */
  const toggle = <Name extends "price" | "until" | "record" | "insured" | "free">(
    name: Name,
    value: NonNullable<DiscoverSearch[Name]>,
  ) => onChange({ [name]: filters[name] === value ? undefined : value });
  return (
    <Surface>
      <NativeSelect
        label="State"
        value={filters.state ?? ""}
        data={[{ value: "", label: "All of Nigeria" }, ...nigerianStates]}
        onChange={({ currentTarget }) => onChange({ state: currentTarget.value || undefined })}
      />
      <Choices label="Price of a lot">
        {discoverPrices.map((price) => (
          <FilterToggle key={price} isOn={filters.price === price} onPress={() => toggle("price", price)}>
            Up to {formatNaira(nairaToKobo(price))}
          </FilterToggle>
        ))}
      </Choices>
      <Choices label="First harvest by the end of">
        {listMonths(new Date()).map(({ until, name }) => (
          <FilterToggle key={until} isOn={filters.until === until} onPress={() => toggle("until", until)}>
            {name}
          </FilterToggle>
        ))}
      </Choices>
      <Choices label="Only farms with">
        <FilterToggle isOn={filters.record === true} onPress={() => toggle("record", true)}>
          A finished round
        </FilterToggle>
        <FilterToggle isOn={filters.insured === true} onPress={() => toggle("insured", true)}>
          Insurance
        </FilterToggle>
        <FilterToggle isOn={filters.free === true} onPress={() => toggle("free", true)}>
          Lots free now
        </FilterToggle>
      </Choices>
      <div className={classes.show}>
        <Button onClick={onShow} disabled={query.data?.total === 0}>
          {showText(query.data?.total)}
        </Button>
      </div>
    </Surface>
  );
}

const showText = (total: number | undefined): string => {
  if (total === undefined) return "Show farms";
  if (total === 0) return "No farm fits";
  if (total >= projectLimits.counted) return `Show ${projectLimits.counted.toLocaleString("en")} farms or more`;
  return total === 1 ? "Show 1 farm" : `Show ${total} farms`;
};

/** The last day of the month that a day is in, and of those after it. */
function listMonths(now: Date): { until: string; name: string }[] {
  const [year = 0, month = 0] = dayInLagos(now).split("-").map(Number);
  return Array.from({ length: monthsAhead }, (_, index) => {
    const last = new Date(Date.UTC(year, month + index, 0));
    const until = last.toISOString().slice(0, 10);
    // "Jul 2027" of "31 Jul 2027".
    return { until, name: formatDay(until).slice(3) };
  });
}

function Choices({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{label}</legend>
      <div className={classes.choices}>{children}</div>
    </fieldset>
  );
}
