import { Loading, Skeleton, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import classes from "./back-project-page.module.css";

/** The shape of /back-project: heading, lead, three steps. */
export function PaymentPageSkeleton() {
  return (
    <Loading label="Loading payment details">
      <div className={classes.page}>
        <div className={classes.head}>
          <Skeleton width="10rem" />
          <Skeleton width="80%" height="2.25rem" />
        </div>
        <SkeletonText lines={2} />
        <Skeleton width="14rem" height="1.75rem" />
        <Skeleton height="22rem" radius="var(--mantine-radius-lg)" />
        <Skeleton width="12rem" height="1.75rem" />
        <Skeleton height="7.5rem" radius="var(--mantine-radius-md)" />
      </div>
    </Loading>
  );
}
