import type { ReactNode } from "react";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import cardClasses from "./project-card.module.css";
import classes from "./project-grid.module.css";

/** Cards in one to three columns. The children are list items. */
export function ProjectGrid({ children, isStale = false }: { children: ReactNode; isStale?: boolean }) {
  return (
    <ul className={classes.grid} aria-busy={isStale || undefined} data-stale={isStale || undefined}>
      {children}
    </ul>
  );
}

function CardSkeleton() {
  return (
    <div className={cardClasses.card}>
      <Skeleton ratio="16 / 10" radius="0" />
      <div className={cardClasses.words}>
        <Skeleton width="40%" height="1.125rem" />
        <div className={classes.gap} />
        <Skeleton width="85%" height="1.375rem" />
        <div className={classes.gap} />
        <Skeleton width="50%" height="1.125rem" />
        <div className={cardClasses.funding}>
          <Skeleton height="0.375rem" />
          <div className={classes.gap} />
          <Skeleton width="70%" height="1.375rem" />
          <div className={classes.gap} />
          <Skeleton width="35%" height="1.25rem" />
        </div>
      </div>
    </div>
  );
}

export function ProjectGridSkeleton({ count = 6 }: { count?: number }) {
  return (
    <Loading label="Loading projects">
      <div className={classes.grid}>
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are alike and never move.
          <CardSkeleton key={index} />
        ))}
      </div>
    </Loading>
  );
}
