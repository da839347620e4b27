import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type Ref, Suspense, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { useFocusNext } from "#client/ui/forms/use-focus-next.ts";
import { useInlineForm } from "#client/ui/forms/use-inline-form.ts";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { describeFilters, type ProjectFilters } from "#shared/projects/filters-texts.ts";
import { nameSearch } from "#shared/saved-searches/texts.ts";
import { MailPromise } from "./mail-promise.tsx";
import classes from "./saved-searches.module.css";

const RenameForm = lazyPart(() => import("./rename-form.tsx"));

type SavedSearch = RouterOutputs["savedSearches"]["mine"][number];

/**
 * In the account settings: what the person is told of, with the way to each list, another name, and an end that can be
 * taken back.
 */
export function SavedSearches() {
  const utils = trpc.useUtils();
  const query = trpc.savedSearches.mine.useQuery(undefined, { staleTime: 0 });
  const { data, error } = query;
  const { next, moveOn } = useFocusNext();
  const [stopped, setStopped] = useState<SavedSearch | null>(null);
  const refresh = { onSettled: () => utils.savedSearches.mine.invalidate() };
  const stop = trpc.savedSearches.stop.useMutation({
    onSuccess: (_nothing, { searchId }) => setStopped((before) => data?.find(({ id }) => id === searchId) ?? before),
    onError: (failure) => toast.error("The search was not stopped", errorText(failure)),
    ...refresh,
  });
  const undo = trpc.savedSearches.undoStop.useMutation({
    onSuccess: () => {
      moveOn();
      setStopped(null);
    },
    onError: (failure) => toast.error("The search is still stopped", errorText(failure)),
    ...refresh,
  });
  return (
    <SectionCard id="searches" title="Saved searches" text={<MailPromise />}>
      {data ? (
        <ul className={classes.list}>
          {data
            .filter(({ id }) => id !== stopped?.id)
            .map((search) => (
              <Row key={search.id} ref={next} search={search} onStop={() => stop.mutate({ searchId: search.id })} />
            ))}
        </ul>
      ) : error ? (
        <LoadFailed query={query} title="Your searches could not be loaded" />
      ) : (
        <Loading label="Loading your searches">
          <SkeletonText lines={3} />
        </Loading>
      )}
      {data?.length === 0 && !stopped && (
        <div className={classes.bar}>
          <p className={classes.words}>You have none. Filter the farms on Discover, and press “Save this search”.</p>
          <LinkButton to="/discover" variant="default">
            Discover
          </LinkButton>
        </div>
      )}
      <div role="status">
        {stopped && (
          <div className={classes.bar}>
            <p className={classes.words}>“{stopped.name}” is stopped.</p>
            <Button
              ref={focus}
              variant="default"
              loading={undo.isPending}
              onClick={() => undo.mutate({ searchId: stopped.id })}
            >
              Undo
            </Button>
          </div>
        )}
      </div>
    </SectionCard>
  );
}

/** The button that was pressed has gone: the keyboard goes on at this one. */
const focus: Ref<HTMLButtonElement> = (button) => button?.focus();

type RowProps = { search: SavedSearch; ref: Ref<HTMLAnchorElement>; onStop: () => void };

function Row({ search, ref, onStop }: RowProps) {
  const { name, filters } = search;
  const rename = useInlineForm();
  return (
    <li className={classes.bar}>
      <div className={classes.words}>
        <Link ref={ref} className={classes.name} to="/discover" search={addressOf(filters)}>
          {name}
        </Link>
        {name !== nameSearch(filters) && <p className={classes.hint}>{describeFilters(filters)}</p>}
      </div>
      {rename.isOpen ? (
        <Suspense>
          <RenameForm search={search} onClose={rename.close} />
        </Suspense>
      ) : (
        <div className={classes.acts}>
          <Button ref={rename.opener} variant="subtle" aria-label={`Rename “${name}”`} onClick={rename.open}>
            Rename
          </Button>
          <Button variant="subtle" aria-label={`Stop “${name}”`} onClick={onStop}>
            Stop
          </Button>
        </div>
      )}
    </li>
  );
}

/** As the address of /discover says it. */
const addressOf = (filters: ProjectFilters) => ({
  search: filters.search || undefined,
  category: filters.category ?? undefined,
  state: filters.state ?? undefined,
  price: filters.maxLotPrice ?? undefined,
  until: filters.firstHarvestUntil ?? undefined,
  record: filters.hasRecord || undefined,
  insured: filters.isInsured || undefined,
  free: filters.hasFreeLots || undefined,
});
