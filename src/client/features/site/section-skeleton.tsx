import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";

/** A section on its way. */
export function SectionSkeleton() {
  return (
    <Loading label="Loading this section">
      <Skeleton height="32rem" radius="var(--mantine-radius-lg)" />
    </Loading>
  );
}
