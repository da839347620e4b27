import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";

/** The place of the card on a project's page. */
export function RecordCardSkeleton() {
  return (
    <Loading label="Loading the farm's record">
      <Skeleton height="14rem" radius="var(--mantine-radius-lg)" />
    </Loading>
  );
}
