import { Button } from "@mantine/core";
import { Suspense, useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { formatCount } from "#client/lib/format.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ExportMenu } from "#client/shared-parts/export-menu.tsx";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { backingTexts } from "#shared/projects/backings-texts.ts";
import { countLots } from "#shared/projects/texts.ts";
import { AddBacker } from "./add-backer.tsx";
import classes from "./backings.module.css";

const WeightDialog = lazyDialog(() => import("./weight-dialog.tsx"));

/** Who backs a project, with their addresses: for those who may edit it, add people, and take back a mistake. */
export default function ManageBackers({ projectId }: { projectId: number }) {
  const utils = trpc.useUtils();
  const query = trpc.backings.listForProject.useInfiniteQuery(
    { projectId },
    { getNextPageParam: (page) => page.nextCursor, staleTime: 0 },
  );
  const [leaving, setLeaving] = useState<Backer | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [weighed, setWeighed] = useState<Backer | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const refresh = () => {
    void utils.backings.listForProject.invalidate({ projectId });
    void utils.backings.project.invalidate({ projectId });
  };
  const removal = trpc.backings.revokeGrant.useMutation({
    onSuccess: () => toast.success(backingTexts.removed),
    onError: (error) => toast.error(backingTexts.removeFailed, errorText(error)),
    onSettled: () => {
      setIsAsking(false);
      refresh();
      // The pressed button goes with its card.
      heading.current?.focus();
    },
  });
  const backers = query.data?.pages.flatMap((page) => page.items);
  const total = query.data?.pages.at(-1)?.total ?? 0;
  const weightRounds = query.data?.pages.at(-1)?.weightRounds ?? [];
  return (
    <>
      <AddBacker projectId={projectId} onAdded={refresh} />
      <div className={classes.head}>
        <h2 ref={heading} className={classes.heading} tabIndex={-1}>
          {backers ? formatCount(total, "backer") : "Backers"}
        </h2>
        {total > 0 && <ExportMenu tables={[{ name: "backers", label: "Backers", filter: { projectId } }]} />}
      </div>
      {!backers ? (
        query.isError ? (
          <LoadFailed query={query} title="The backers could not be loaded." />
        ) : (
          <BackersSkeleton />
        )
      ) : backers.length === 0 ? (
        <EmptyState
          picture="/art/empty-backed.svg"
          title="No backers yet"
          text="Whoever backs this project will appear here."
        />
      ) : (
        <>
          <ul className={classes.grid}>
            {backers.map((backer) => (
              <li key={backer.id}>
                <BackerCard
                  backer={backer}
                  onWeigh={weightRounds.length > 0 && backer.isGranted ? () => setWeighed(backer) : undefined}
                  onRemove={
                    !backer.isPaid
                      ? () => {
                          setLeaving(backer);
                          setIsAsking(true);
                        }
                      : undefined
                  }
                />
              </li>
            ))}
          </ul>
          {query.hasNextPage && (
            <div className={classes.more}>
              {query.isFetchNextPageError && <p role="alert">More could not be loaded. Please try again.</p>}
              <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                Load more backers
              </Button>
            </div>
          )}
        </>
      )}
      {weighed && (
        <Suspense>
          <WeightDialog
            projectId={projectId}
            rounds={weightRounds}
            backer={weighed}
            onClose={() => setWeighed(null)}
            onSaved={refresh}
          />
        </Suspense>
      )}
      <LazyConfirmDialog
        opened={isAsking}
        title="Remove backer"
        confirmLabel="Remove"
        isDangerous
        isPending={removal.isPending}
        onConfirm={() => leaving && removal.mutate({ projectId, userId: leaving.userId })}
        onClose={() => setIsAsking(false)}
      >
        {leaving?.fullName} will no longer see this project's livestreams and messages. You can add them again.
      </LazyConfirmDialog>
    </>
  );
}

function BackersSkeleton() {
  return (
    <Loading label="Loading backers">
      <div className={classes.grid}>
        {[1, 2, 3].map((key) => (
          <Skeleton key={key} height="7.5rem" radius="var(--mantine-radius-md)" />
        ))}
      </div>
    </Loading>
  );
}

type Backer = RouterOutputs["backings"]["listForProject"]["items"][number];

type BackerCardProps = { backer: Backer; onRemove: (() => void) | undefined; onWeigh: (() => void) | undefined };

/** One backer: who, since when, and what makes them one: lots, or an administrator's grant. */
function BackerCard({ backer, onRemove, onWeigh }: BackerCardProps) {
  return (
    <article className={classes.card}>
      <h3 className={classes.name}>{backer.fullName}</h3>
      {backer.email ? (
        <a className={classes.email} href={`mailto:${backer.email}`}>
          {backer.email}
        </a>
      ) : (
        <span className={classes.email}>This account is closed</span>
      )}
      <p className={classes.facts}>
        {backer.isPaid && <StatusBadge tone="positive">Payment approved</StatusBadge>}
        {backer.isGranted && <StatusBadge tone="neutral">Added by an administrator</StatusBadge>}
        {backer.isBlocked && <StatusBadge tone="negative">Blocked</StatusBadge>}
      </p>
      <p className={classes.part}>{partOf(backer)}</p>
      {backer.weights.map(({ round, reason }) => (
        <p key={round} className={classes.reason}>
          {reason}
        </p>
      ))}
      <div className={classes.foot}>
        <span>
          Since <time dateTime={backer.createdAt.toISOString()}>{formatDate(backer.createdAt)}</time>
        </span>
        {(onRemove || onWeigh) && (
          <ButtonRow>
            {onWeigh && (
              <Button
                variant="default"
                size="sm"
                aria-label={`Part of ${backer.fullName} in the harvest`}
                onClick={onWeigh}
              >
                Weight
              </Button>
            )}
            {onRemove && (
              <Button variant="default" size="sm" aria-label={`Remove ${backer.fullName}`} onClick={onRemove}>
                Remove
              </Button>
            )}
          </ButtonRow>
        )}
      </div>
    </article>
  );
}

/** "3 lots", "₦50,000 weight", or that there is none. Where a farm has several rounds a weight's is named. */
function partOf({ lots, weights }: Backer): string {
  const isNamed = weights.some(({ round }) => round > 1);
  const given = weights.map(({ round, weightKobo }) =>
    backingTexts.weight(formatNaira(weightKobo), isNamed ? round : null),
  );
  const parts = [...(lots > 0 ? [countLots(lots)] : []), ...given];
  return parts.length > 0 ? parts.join(" and ") : backingTexts.noPart;
}
