import "#client/ui/mantine/fields.css";
import { NativeSelect, Switch } from "@mantine/core";
import { Link, useHydrated } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { categories } from "#shared/projects/categories.ts";
import { projectSortLabels, projectSorts } from "#shared/projects/texts.ts";
import classes from "./discover-filters.module.css";
import type { DiscoverSearch } from "./discover-search.ts";

type DiscoverFiltersProps = {
  filters: DiscoverSearch;
  /** Undefined takes a filter away. */
  onChange: (changed: DiscoverSearch) => void;
};

/** On phones the row of categories is swiped: the chosen one is moved into sight, without moving the page. */
function useChosenInSight(category: string | undefined) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const chosen = category && row.current?.querySelector<HTMLElement>("[data-status=active]");
    if (row.current && chosen) {
      row.current.scrollLeft =
        chosen.offsetLeft - row.current.offsetLeft - (row.current.clientWidth - chosen.offsetWidth) / 2;
    }
  }, [category]);
  return row;
}

/** Search, sort, closed ones or not, category: all kept in the address bar. */
export function DiscoverFilters({ filters, onChange }: DiscoverFiltersProps) {
  const row = useChosenInSight(filters.category);
  const isHydrated = useHydrated();
  return (
    <section className={classes.filters} aria-label="Filters">
      {/* What is chosen before hydration would be lost. */}
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
      </fieldset>
      <nav ref={row} className={classes.categories} aria-label="Categories">
        {[{ id: undefined, name: "All" }, ...categories].map(({ id, name }) => (
          <Link
            key={name}
            from="/discover"
            to="/discover"
            search={(shown) => ({ ...shown, category: id })}
            resetScroll={false}
            className={classes.category}
            // "All" is the current one only where the address names no category.
            activeOptions={{ exact: true }}
          >
            {name}
          </Link>
        ))}
      </nav>
    </section>
  );
}
