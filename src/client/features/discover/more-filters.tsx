import { Button, NativeSelect } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { dayInLagos } from "#shared/dates.ts";
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

/** What narrows the list further. Each choice is in the address at once, and the button says what it leaves. */
export default function MoreFilters({ filters, onChange, onShow }: MoreFiltersProps) {
  const { sort: _, ...input } = toListInput(filters);
  const query = trpc.projects.count.useQuery(input, { placeholderData: (before) => before });
  return (
    <div className={classes.more}>
      <NativeSelect
        label="State"
        value={filters.state ?? ""}
        data={[{ value: "", label: "All of Nigeria" }, ...nigerianStates]}
        onChange={({ currentTarget }) => onChange({ state: currentTarget.value || undefined })}
      />
      <Choices label="Price of a lot">
        {discoverPrices.map((price) => (
          <Choice key={price} isOn={filters.price === price} change={{ price }} off={{ price: undefined }}>
            Up to {formatNaira(nairaToKobo(price))}
          </Choice>
        ))}
      </Choices>
      <Choices label="First harvest by the end of">
        {listMonths(new Date()).map(({ until, name }) => (
          <Choice key={until} isOn={filters.until === until} change={{ until }} off={{ until: undefined }}>
            {name}
          </Choice>
        ))}
      </Choices>
      <Choices label="Only farms with">
        <Choice isOn={filters.record === true} change={{ record: true }} off={{ record: undefined }}>
          A finished round
        </Choice>
        <Choice isOn={filters.insured === true} change={{ insured: true }} off={{ insured: undefined }}>
          Insurance
        </Choice>
        <Choice isOn={filters.free === true} change={{ free: true }} off={{ free: undefined }}>
          Lots free now
        </Choice>
      </Choices>
      <div className={classes.show}>
        <Button onClick={onShow} disabled={query.data?.total === 0}>
          {showText(query.data?.total)}
        </Button>
      </div>
    </div>
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
    const name = last.toLocaleDateString("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });
    return { until: last.toISOString().slice(0, 10), name };
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

type ChoiceProps = { isOn: boolean; change: DiscoverSearch; off: DiscoverSearch; children: ReactNode };

/** An address with one filter more, or without it. */
function Choice({ isOn, change, off, children }: ChoiceProps) {
  return (
    <Link
      from="/discover"
      to="/discover"
      search={(shown) => ({ ...shown, ...(isOn ? off : change) })}
      replace
      resetScroll={false}
      role="button"
      aria-pressed={isOn}
      className={classes.choice}
      activeProps={{}}
    >
      {children}
    </Link>
  );
}
