import { trpc } from "#client/lib/trpc.ts";
import { PaperButton } from "#client/shared-parts/paper-button.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { ListContent, MoreRows } from "#client/ui/lists/list-page.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import { paperKindLabels, rangeText } from "#shared/papers/texts.ts";
import classes from "./papers.module.css";
import { RangeForm } from "./range-form.tsx";

const failure = "Your papers could not be loaded.";

/** A person's papers of their money: each one to download, and a statement of any days. */
export default function OwnPapers() {
  const utils = trpc.useUtils();
  const query = trpc.papers.mine.useInfiniteQuery({}, { getNextPageParam: (page) => page.nextCursor, staleTime: 0 });
  const statement = trpc.papers.statement.useMutation();
  const rows = query.data?.pages.flatMap((page) => page.items);
  return (
    <details className={classes.papers}>
      <summary className={classes.summary}>
        <h2>Papers</h2>
      </summary>
      <ListContent
        query={query}
        rows={rows}
        loading={
          <Loading label="Loading your papers">
            <Skeleton height="8rem" radius="var(--mantine-radius-lg)" />
          </Loading>
        }
        failure={failure}
        empty={<p>You have no papers yet. Receipts, refund notes and settlement statements appear here.</p>}
        foot={<MoreRows query={query} label="Load more papers" failure={failure} />}
      >
        {(shown) => (
          <ul className={classes.list}>
            {shown.map(({ id, kind, about, number, url, amountKobo, firstDay, lastDay, createdAt, replacedAt }) => (
              <li key={id}>
                <div className={classes.paper}>
                  <span className={classes.name}>
                    {paperKindLabels[kind]}
                    {replacedAt && <StatusBadge tone="neutral">No longer valid</StatusBadge>}
                  </span>
                  {about && <span>{about}</span>}
                  {firstDay && lastDay && <span>{rangeText({ firstDay, lastDay })}</span>}
                  <span className={classes.fine}>
                    <span className="reference">{number}</span>, {formatDate(createdAt)},{" "}
                    <span className="money">{formatNairaExact(amountKobo)}</span>
                  </span>
                </div>
                <PaperButton name={number} find={async () => ({ number, url })} />
              </li>
            ))}
          </ul>
        )}
      </ListContent>
      <h2>Statement of your money</h2>
      <p>What you paid, what came back and what is due to you, in the days that you choose.</p>
      <RangeForm
        label="Make statement"
        make={(range) => statement.mutateAsync(range)}
        onMade={() => void utils.papers.mine.invalidate()}
      />
    </details>
  );
}
