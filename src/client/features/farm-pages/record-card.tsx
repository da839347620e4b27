import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { formatDay } from "#shared/dates.ts";
import { recordStageLabels, recordTexts as texts } from "#shared/farms/record.ts";
import { formatNaira } from "#shared/money.ts";
import classes from "./farm-pages.module.css";
import { RecordCardSkeleton } from "./record-card-skeleton.tsx";
import { type RecordRound, stageTones } from "./record-rounds.tsx";

/** So many rounds stand on the card; the farm's page has all. */
const shown = 3;

/** On a project's page: how the farm's newest rounds went, and the way to all of them. */
export default function RecordCard({ farmId, farm }: { farmId: number; farm: string }) {
  const query = trpc.farmPages.record.useQuery({ farmId });
  if (query.isPending) return <RecordCardSkeleton />;
  if (!query.data) {
    return <ErrorState title={texts.loadFailed} onRetry={() => void query.refetch()} isRetrying={query.isRefetching} />;
  }
  const { rounds, decidedRounds } = query.data;
  return (
    <div className={classes.card}>
      <SectionCard title="This farm's record">
        {rounds.length === 0 ? (
          <p className={classes.fine}>{texts.none}</p>
        ) : (
          <>
            <p>{texts.nothingSure}</p>
            <ul className={classes.list}>
              {rounds.slice(0, shown).map((round, index) => (
                <li key={`${round.projectId ?? index} ${round.round}`}>
                  <ShortRound round={round} />
                  <StatusBadge tone={stageTones[round.stage]}>{recordStageLabels[round.stage]}</StatusBadge>
                </li>
              ))}
            </ul>
          </>
        )}
        <p>
          <TextLink to="/farms/$id" params={{ id: String(farmId) }}>
            {rounds.length > shown ? `All ${decidedRounds} rounds of ${farm}` : `More about ${farm}`}
          </TextLink>
        </p>
      </SectionCard>
    </div>
  );
}

function ShortRound({ round: { title, round, outcome, decidedOn, shares, reports } }: { round: RecordRound }) {
  const had = [shares.paid, shares.insurance, shares.returned].flatMap(({ share }, index) =>
    share === null || !("kobo" in share) || (index > 0 && share.kobo === 0n)
      ? []
      : `${formatNaira(share.kobo)}${["", " from the insurer", " returned"][index]}`,
  );
  return (
    <span className={classes.short}>
      <strong>{round > 1 ? `${title}, round ${round}` : title}</strong>
      <span className={classes.fine}>
        {outcome === "funded" ? "Funded" : "Decided"} on {formatDay(decidedOn)}
        {reports && ` · reports ${reports.onTime} of ${reports.counted} on time`}
      </span>
      {outcome === "funded" && had.length > 0 && (
        <span className={classes.fine}>Paid to backers of each ₦100,000: {had.join(", ")}</span>
      )}
    </span>
  );
}
