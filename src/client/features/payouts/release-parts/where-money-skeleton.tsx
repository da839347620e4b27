import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";

/** The place of the bar, the sums and the first part. */
export function WhereMoneySkeleton() {
  return (
    <Loading label="Loading where the money is">
      <Skeleton height="18rem" radius="var(--mantine-radius-md)" />
    </Loading>
  );
}
