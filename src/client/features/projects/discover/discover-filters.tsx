import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import "#client/ui/mantine/fields.css";
import { Button, NativeSelect, Switch } from "@mantine/core";
import { IconAdjustmentsHorizontal, IconMap2 } from "@tabler/icons-react";
import { useHydrated } from "@tanstack/react-router";
import { Suspense, useEffect, useId, useRef, useState } from "react";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { FilterLink } from "#client/ui/layout/filter-nav.tsx";
import { categories } from "#shared/projects/categories.ts";
import { projectSortLabels, projectSorts } from "#shared/projects/texts.ts";
import classes from "./discover-filters.module.css";
import type { DiscoverSearch } from "./discover-search.ts";

const MoreFilters = lazyPart(() => import("./more-filters.tsx"));
const StatesMap = lazyPart(() => import("./states-map.tsx"));

type DiscoverFiltersProps = {
  filters: DiscoverSearch;
  /** Undefined takes a filter away. */
  onChange: (changed: DiscoverSearch) => void;
};

/** On phones the row of categories is swiped: the chosen one is moved into sight, without moving the page. */
function useChosenInSight(category: string | undefined) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const chosen = category && row.current?.querySelector<HTMLElement>("[aria-current=page]");
    if (row.current && chosen) {
      row.current.scrollLeft =
        chosen.offsetLeft - row.current.offsetLeft - (row.current.clientWidth - chosen.offsetWidth) / 2;
    }
  }, [category]);
  return row;
}

/** How many of the further filters are set. */
const countSet = ({ state, price, until, record, insured, free }: DiscoverSearch): number =>
  [state, price, until, record, insured, free].filter(Boolean).length;

/** Search, sort, closed ones or not, category, and on demand further filters and the map: all kept in the address bar. */
export function DiscoverFilters({ filters, onChange }: DiscoverFiltersProps) {
  const row = useChosenInSight(filters.category);
  const isHydrated = useHydrated();
  const [isOpen, setOpen] = useState(false);
  const moreId = useId();
  const mapId = useId();
  const end = useRef<HTMLDivElement>(null);
  const set = countSet(filters);
  const show = () => {
    setOpen(false);
    end.current?.scrollIntoView({ block: "nearest" });
    end.current?.focus();
  };
  return (
    <section className={classes.filters} aria-label="Filters">
      {/* A choice made before hydration would be lost. */}
      <fieldset className={classes.row} disabled={!isHydrated} aria-label="Search and order">
        <div className={classes.search}>
          <SearchField
            label="Search projects"
            value={filters.search ?? ""}
            onChange={(search) => onChange({ search: search || undefined })}
          />
        </div>
        <NativeSelect
          className={classes.sort}
          aria-label="Sort by"
          value={filters.sort ?? "popular"}
          data={projectSorts.map((sort) => ({ value: sort, label: projectSortLabels[sort] }))}
          onChange={({ currentTarget }) => {
            const sort = projectSorts.find((name) => name === currentTarget.value);
            onChange({ sort: sort === "popular" ? undefined : sort });
          }}
        />
        <Switch
          className={classes.closed}
          label="Show Closed Projects"
          checked={filters.closed ?? false}
          onChange={({ currentTarget }) => onChange({ closed: currentTarget.checked || undefined })}
        />
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden="true" />}
          aria-expanded={isOpen}
          aria-controls={moreId}
          onClick={() => setOpen(!isOpen)}
        >
          {set > 0 ? `Filters (${set})` : "Filters"}
        </Button>
        <Button
          variant="default"
          leftSection={<IconMap2 size={18} stroke={1.75} aria-hidden="true" />}
          aria-expanded={filters.map ?? false}
          aria-controls={mapId}
          onClick={() => onChange({ map: filters.map ? undefined : true })}
        >
          Map
        </Button>
      </fieldset>
      <div id={moreId} hidden={!isOpen}>
        {isOpen && (
          <Suspense>
            <MoreFilters filters={filters} onChange={onChange} onShow={show} />
          </Suspense>
        )}
      </div>
      <div id={mapId} hidden={!filters.map}>
        {filters.map && (
          <Suspense>
            <StatesMap chosen={filters.state} />
          </Suspense>
        )}
      </div>
      <nav ref={row} className={classes.categories} aria-label="Categories">
        {[{ id: undefined, name: "All" }, ...categories].map(({ id, name }) => (
          <FilterLink
            key={name}
            from="/discover"
            to="/discover"
            search={(shown) => ({ ...shown, category: id })}
            resetScroll={false}
            isCurrent={filters.category === id}
          >
            {name}
          </FilterLink>
        ))}
      </nav>
      <div ref={end} className={classes.end} tabIndex={-1} />
    </section>
  );
}
