import { type ComponentType, Suspense } from "react";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { FilterLink, FilterNav } from "#client/ui/layout/filter-nav.tsx";
import { SectionSkeleton } from "./section-skeleton.tsx";
import classes from "./site.module.css";
import type { SiteSection } from "./site-search.ts";

/** The sections in their order. Each has a file of its own, and is loaded when it is opened. */
const sections: { id: SiteSection; label: string; Panel: ComponentType }[] = [
  { id: "company", label: "Company", Panel: lazyPart(() => import("./company-section.tsx")) },
  { id: "look", label: "Look", Panel: lazyPart(() => import("./look-section.tsx")) },
  { id: "texts", label: "Texts", Panel: lazyPart(() => import("./texts-section.tsx")) },
  { id: "home", label: "Home page", Panel: lazyPart(() => import("./home-section.tsx")) },
];

/** The operator's profile, section by section. */
export default function ThisSite({ section = "company" }: { section?: SiteSection | undefined }) {
  const shown = sections.find(({ id }) => id === section) ?? sections[0];
  return (
    <div className={classes.page}>
      <FilterNav label="Sections">
        {sections.map(({ id, label }) => (
          <FilterLink
            key={id}
            to="/admin/settings"
            search={{ tab: "site", section: id === "company" ? undefined : id }}
            resetScroll={false}
            isCurrent={id === shown?.id}
          >
            {label}
          </FilterLink>
        ))}
      </FilterNav>
      <Suspense fallback={<SectionSkeleton />}>{shown && <shown.Panel />}</Suspense>
    </div>
  );
}
