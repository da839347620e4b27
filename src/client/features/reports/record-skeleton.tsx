import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";

/** The place of a farm's answer, weeks and first plot. */
export function FarmRecordSkeleton() {
  return (
    <Loading label="Loading the farm's figures">
      <Skeleton height="24rem" radius="var(--mantine-radius-md)" />
    </Loading>
  );
}
