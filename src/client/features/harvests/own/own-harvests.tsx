import { trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { OwnHarvestView } from "./own-harvest.tsx";
import classes from "./own-harvests.module.css";

/** The tab Harvest of a backed project: each harvest with the reader's part of it, newest first. */
export default function OwnHarvests({ projectId }: { projectId: number }) {
  const utils = trpc.useUtils();
  // What was cached minutes ago may be over.
  const query = trpc.harvests.mine.useQuery({ projectId }, { staleTime: 0 });
  if (query.isPending) {
    return (
      <Loading label="Loading your harvests">
        <Skeleton height="24rem" radius="var(--mantine-radius-lg)" />
      </Loading>
    );
  }
  if (!query.data) {
    return (
      <LoadFailed
        query={query}
        title="Your harvests could not be loaded."
        text="Nothing has changed. Please try again."
      />
    );
  }
  if (query.data.length === 0) {
    return (
      <EmptyState
        picture="/art/step-harvest.svg"
        title="No harvest yet"
        text="When the farm has harvested we email you, and you choose here what to do with your share."
      />
    );
  }
  return (
    <section className={classes.list} aria-label="Your harvests">
      {query.data.map((harvest) => (
        <OwnHarvestView
          key={harvest.id}
          harvest={harvest}
          onChosen={() => void utils.harvests.mine.invalidate({ projectId })}
        />
      ))}
    </section>
  );
}
