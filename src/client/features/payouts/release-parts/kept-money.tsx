import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { releasePartStateLabels, releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";
import { AskForPart } from "./ask-for-part.tsx";
import { MoneyPlacesBar } from "./money-places.tsx";
import { releasePartTones } from "./release-part-tones.ts";
import classes from "./release-parts.module.css";
import { ProofFiles } from "./release-proofs.tsx";
import { WhereMoneySkeleton } from "./where-money-skeleton.tsx";

type Round = RouterOutputs["farmReleaseParts"]["ofProject"]["rounds"][number];
type Part = Round["parts"][number];
type Ask = Round["asks"][number];

/** For a farm's keeper: what was agreed for each round's money, what has come, and the part that can be asked for next. */
export default function KeptMoney({ projectId }: { projectId: number }) {
  const query = trpc.farmReleaseParts.ofProject.useQuery({ projectId }, { staleTime: 0 });
  return (
    <>
      <LinkButton to="/farm" variant="subtle" size="sm">
        Back to my farms
      </LinkButton>
      <PageHead title={query.data ? `Money of ${query.data.title}` : "Money to the farm"} />
      {query.data ? (
        <Rounds projectId={projectId} rounds={query.data.rounds} />
      ) : query.isError ? (
        <LoadFailed query={query} title={texts.loadFailed} />
      ) : (
        <WhereMoneySkeleton />
      )}
    </>
  );
}

function Rounds({ projectId, rounds }: { projectId: number; rounds: Round[] }) {
  if (rounds.length === 0) return <EmptyState title={texts.none} text={texts.noneText} />;
  return (
    <div className={classes.cards}>
      {rounds.map((round) => (
        <SectionCard key={round.round} title={rounds.length === 1 ? "Where the money is" : `Round ${round.round}`}>
          <div className={classes.money}>
            <MoneyPlacesBar raisedKobo={round.raisedKobo} places={round.places} />
            {round.isStopped && <Notice tone="caution" title={texts.isStoppedForFarm} />}
            {!round.hasSteps && <p>{texts.noSteps}</p>}
            <ol className={classes.parts}>
              {round.parts.map((part) => (
                <PartOfFarm key={part.part} projectId={projectId} round={round} part={part} />
              ))}
            </ol>
          </div>
        </SectionCard>
      ))}
    </div>
  );
}

type PartProps = { projectId: number; round: Round; part: Part };

/** One part: what it is for, how far it is, and, if it is the next, the way to ask for it. */
function PartOfFarm({ projectId, round, part }: PartProps) {
  const { part: number, label, proof, amountKobo, state, askableFrom, isNext, canBeAskedFor, paidAt } = part;
  const [last] = round.asks.filter((ask) => ask.part === number);
  const isWaiting = (state === "planned" || state === "refused") && !canBeAskedFor;
  return (
    <li className={classes.part} aria-label={`Part ${number}: ${label}`}>
      <div className={classes.head}>
        <span className={classes.label}>{round.parts.length === 1 ? label : `${number}. ${label}`}</span>
        <span className="money">{formatNaira(amountKobo)}</span>
      </div>
      <div className={classes.facts}>
        <StatusBadge tone={releasePartTones[state]}>{releasePartStateLabels[state]}</StatusBadge>
        {paidAt && <span className={classes.fine}>on {formatDate(paidAt)}</span>}
        {isWaiting && round.hasSteps && (
          <span className={classes.fine}>
            {isNext && part.releasableKobo === 0n
              ? texts.nothingLeft
              : isNext && askableFrom
                ? `You can ask for it from ${formatDate(askableFrom)} on`
                : texts.afterEarlier}
          </span>
        )}
      </div>
      {proof !== "" && <p className={classes.fine}>Proof that was agreed: {proof}</p>}
      {part.skippedReason && <p>Left out: {part.skippedReason}</p>}
      {last && <LastAsk ask={last} />}
      {round.hasSteps && canBeAskedFor && <AskNext projectId={projectId} round={round} part={part} />}
    </li>
  );
}

/** The last ask for a part, with its proof, and our answer to it. */
function LastAsk({ ask: { askedByName, askedAt, note, verdict, refusal, proofs } }: { ask: Ask }) {
  return (
    <>
      {verdict === "refused" && refusal && <Notice tone="negative" title={texts.refusedBecause(refusal)} />}
      <p className={classes.fine}>
        Asked for by {askedByName ?? "nobody known"} on {formatDate(askedAt)}
        {verdict === null && ". We look at it and tell you."}
      </p>
      {note !== "" && <p>{note}</p>}
      <ProofFiles proofs={proofs} of={`the proof of ${formatDate(askedAt)}`} />
    </>
  );
}

/** Opens the form; once it was sent, the keyboard is at the part. */
function AskNext({ projectId, round, part: { part, proof, state } }: PartProps) {
  const [isAsking, setIsAsking] = useState(false);
  const wasAsking = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  const utils = trpc.useUtils();
  const ask = trpc.farmReleaseParts.ask.useMutation({ onSettled: () => utils.farmReleaseParts.invalidate() });
  useEffect(() => {
    if (wasAsking.current && !isAsking) button.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  if (!isAsking) {
    return (
      <Button ref={button} onClick={() => setIsAsking(true)}>
        {state === "refused" ? "Ask again" : "Ask for this part"}
      </Button>
    );
  }
  return (
    <div className={classes.next}>
      <AskForPart
        proof={proof}
        onAsk={async (asked) => {
          await ask.mutateAsync({ projectId, round: round.round, part, ...asked });
          toast.success(texts.asked);
          setIsAsking(false);
        }}
        onCancel={() => setIsAsking(false)}
      />
    </div>
  );
}
