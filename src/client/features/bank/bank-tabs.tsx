import { FilterLink, FilterNav } from "#client/ui/layout/filter-nav.tsx";
import { type LineTab, lineTabLabels, lineTabs } from "#shared/bank/line-tabs.ts";
import type { Account, BankSearch } from "./bank-search.ts";

type BankTabsProps = { account: Account; search: BankSearch; shown: LineTab | "imports" };

/** The ways to look at an account: its lines by what is left to do with them, and the files that they came with. */
export function BankTabs({ account, search, shown }: BankTabsProps) {
  const { imports, counts } = account;
  return (
    <FilterNav label="Lines and imports">
      {lineTabs.map((tab) => (
        <FilterLink
          key={tab}
          to="/admin/bank"
          search={{ ...search, tab, line: undefined, view: undefined }}
          replace
          resetScroll={false}
          isCurrent={shown === tab}
          count={counts[tab]}
        >
          {lineTabLabels[tab]}
        </FilterLink>
      ))}
      <FilterLink
        to="/admin/bank"
        search={{ account: search.account, view: "imports" }}
        replace
        resetScroll={false}
        isCurrent={shown === "imports"}
        count={imports}
      >
        Imports
      </FilterLink>
    </FilterNav>
  );
}

/** Returns the tab to open first: lines to match, or suggestions where only those wait. */
export const firstTab = ({ counts }: Account): LineTab =>
  counts.to_match === 0 && counts.suggested > 0 ? "suggested" : "to_match";
