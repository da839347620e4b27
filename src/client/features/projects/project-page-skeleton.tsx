import { Loading, Skeleton, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import fundingClasses from "./funding.module.css";
import classes from "./project-page.module.css";

/** The project page in grey: same columns, same sizes. The backers' page has no picture. */
export function ProjectPageSkeleton({ hasPicture = true }: { hasPicture?: boolean }) {
  return (
    <Loading label="Loading project">
      <div className={classes.layout} data-plain={!hasPicture || undefined}>
        <div className={classes.head}>
          <Skeleton width="9rem" height="1.25rem" />
          <div className={classes.gap} />
          <Skeleton width="min(100%, 26rem)" height="2.25rem" />
          <div className={classes.gap} />
          <Skeleton width="min(100%, 38rem)" height="1.5rem" />
          <div className={classes.gap} />
          <Skeleton width="15rem" height="1.25rem" />
        </div>
        {hasPicture && (
          <div className={classes.picture}>
            <Skeleton ratio="16 / 10" radius="0" />
          </div>
        )}
        <div className={classes.side}>
          <div className={fundingClasses.card}>
            <Skeleton width="70%" height="2rem" />
            <Skeleton height="0.625rem" />
            <Skeleton width="80%" height="2.75rem" />
            <Skeleton width="60%" height="1.5rem" />
            <Skeleton height="3.125rem" />
            <Skeleton height="2.625rem" />
          </div>
        </div>
        <div className={classes.details}>
          <SkeletonText lines={6} />
        </div>
      </div>
    </Loading>
  );
}
