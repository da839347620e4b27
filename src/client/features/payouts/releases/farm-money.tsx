import { Button, Modal } from "@mantine/core";
import "#client/ui/mantine/overlays.css";
import { useState } from "react";
import { MoneyPlacesBar } from "#client/features/payouts/release-parts/money-places.tsx";
import { errorText } from "#client/lib/errors.ts";
import { useCan } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { PayoutBadge } from "#client/shared-parts/payout-badge.tsx";
import { EmptyState, ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { releasePartTexts as partTexts } from "#shared/payouts/release-parts-texts.ts";
import { farmReleaseTexts as texts } from "#shared/payouts/releases-texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { FarmAccount } from "./farm-account.tsx";
import classes from "./farm-money.module.css";
import { PartCard } from "./part-card.tsx";
import { Returns } from "./returns.tsx";
import { ReleasePart, type RoundMoney, RoundNotices } from "./round-money.tsx";

type FarmMoneyData = RouterOutputs["farmReleases"]["ofProject"];
type Release = FarmMoneyData["releases"][number];

/**
 * On the management of a project: where the money of its funded rounds is, part by part, and what becomes of it next.
 * Releases, accounts and returns are for who may pay out.
 */
export default function FarmMoney({ projectId }: { projectId: number }) {
  const mayManage = useCan("harvests:manage");
  const mayAskTwo = useCan("payments:process");
  const mayPay = useCan("payouts:process");
  const maySeePayouts = useCan("payouts:view");
  const parts = trpc.releaseParts.ofProject.useQuery({ projectId }, { staleTime: 0 });
  const money = trpc.farmReleases.ofProject.useQuery({ projectId }, { staleTime: 0, enabled: maySeePayouts });
  const refetch = useRefetchFarmMoney();
  const failed = [parts, money].find(({ isError, data }) => isError && !data);
  if (failed?.error) {
    return (
      <ErrorState
        title={texts.loadFailed}
        text={errorText(failed.error)}
        onRetry={() => void Promise.all([parts.refetch(), maySeePayouts && money.refetch()])}
        isRetrying={parts.isRefetching || money.isRefetching}
      />
    );
  }
  if (!parts.data || (maySeePayouts && !money.data)) return <MoneySkeleton />;
  const { rounds, farms, releases } = money.data ?? { rounds: [], farms: [], releases: [] };
  const numbers = [...new Set([...parts.data, ...rounds].map(({ round }) => round))].sort((one, two) => two - one);
  if (numbers.length === 0) return <EmptyState title={partTexts.none} text={partTexts.noneText} />;
  return (
    <div className={classes.cards}>
      {numbers.map((number) => {
        const round = parts.data.find((one) => one.round === number);
        const sums = rounds.find((one) => one.round === number);
        return (
          <SectionCard key={number} title={`Money of round ${number}`}>
            <div className={classes.money}>
              {round && <MoneyPlacesBar raisedKobo={round.raisedKobo} places={round.places} />}
              {round?.isStopped && <Notice tone="caution" title={partTexts.isStopped} />}
              {sums && <RoundNotices projectId={projectId} round={sums} />}
              {round && (
                <ol className={classes.parts} aria-label="Parts">
                  {round.parts.map((part) => (
                    <PartCard
                      key={part.part}
                      projectId={projectId}
                      round={round}
                      part={part}
                      mayManage={mayManage}
                      mayAskTwo={mayAskTwo}
                      release={
                        mayPay &&
                        sums?.farmId != null &&
                        isReleasable(round, part, sums) && (
                          <ReleasePart
                            key={`${part.releasableKobo} ${sums.releasableKobo}`}
                            projectId={projectId}
                            refetch={refetch}
                            round={sums}
                            part={{ ...part, ask: round.asks.find((ask) => ask.part === part.part) ?? null }}
                            isStopped={round.isStopped}
                            hasAccount={farms.some(({ id, account }) => id === sums.farmId && account !== null)}
                          />
                        )
                      }
                    />
                  ))}
                </ol>
              )}
            </div>
          </SectionCard>
        );
      })}
      {maySeePayouts && (
        <SectionCard title="Money for the farm" text="Where it goes, and what went there.">
          <div className={classes.money}>
            {farms.map((farm) => (
              <div key={farm.id}>
                <h3 className={classes.heading}>The farm's account</h3>
                <FarmAccount farm={farm} />
              </div>
            ))}
            {releases.length > 0 && (
              <section aria-label="Releases">
                <h3 className={classes.heading}>Released</h3>
                <ul className={classes.list}>
                  {releases.map((release) => (
                    <ReleaseCard key={release.id} release={release} />
                  ))}
                </ul>
              </section>
            )}
            <Returns projectId={projectId} />
          </div>
        </SectionCard>
      )}
    </div>
  );
}

function MoneySkeleton() {
  return (
    <Loading label="Loading the money">
      <Skeleton height="14rem" radius="md" />
    </Loading>
  );
}

type ManagedRound = RouterOutputs["releaseParts"]["ofProject"][number];

/** Returns true if something of a part can be released now, by one owner or by two. */
function isReleasable(
  { hasSteps, asks }: ManagedRound,
  part: ManagedRound["parts"][number],
  { releasableKobo }: RoundMoney,
) {
  const isThere = releasableKobo > 0n && part.releasableKobo > 0n && part.isNext;
  const ask = asks.find((one) => one.part === part.part);
  return isThere && (!hasSteps || ask?.verdict === "checked" || (ask?.verdict === null && !ask.isCheckable));
}

/** Returns a call that refetches the farm's money, and payouts elsewhere, which change with it. */
function useRefetchFarmMoney() {
  const utils = trpc.useUtils();
  return () =>
    Promise.all([
      utils.farmReleases.invalidate(),
      utils.releaseParts.invalidate(),
      utils.payouts.invalidate(),
      utils.roundReturns.invalidate(),
    ]);
}

function ReleaseCard({ release }: { release: Release }) {
  const { round, part, amountKobo, paidBackKobo, madeByName, createdAt, payouts } = release;
  const { takenBackAt, takenBackByName, takenBackReason } = release;
  const [isAsking, setIsAsking] = useState(false);
  const mayTakeBack = useCan("payouts:process");
  return (
    <li className={classes.release}>
      <div className={classes.head}>
        <span>{part === null ? `Round ${round}` : `Round ${round}, part ${part}`}</span>
        <span className="money">{formatNaira(amountKobo)}</span>
      </div>
      <p className={classes.fine}>
        Released by {madeByName ?? "nobody known"} on {formatDate(createdAt)}
      </p>
      {paidBackKobo > 0n && <p>The farm paid {formatNaira(paidBackKobo)} of it back.</p>}
      {takenBackAt && (
        <p>
          Taken back by {takenBackByName ?? "nobody known"} on {formatDate(takenBackAt)}: {takenBackReason}
        </p>
      )}
      {takenBackAt === null && (
        <ul className={classes.payouts} aria-label="Payouts">
          {payouts.map(({ id, reference, amountKobo: kobo, state, isOverdue, sentAt, paidAt, failedReason }) => (
            <li key={id}>
              <span className="reference">{reference}</span>
              <span className="money">{formatNaira(kobo)}</span>
              <PayoutBadge payout={{ state, isOverdue }} />
              <span className={classes.fine}>
                {state === "sent" && sentAt && `on ${formatDate(sentAt)}`}
                {state === "paid" && paidAt && `on ${formatDate(paidAt)}`}
                {state === "failed" && failedReason}
              </span>
            </li>
          ))}
        </ul>
      )}
      {release.canBeTakenBack && mayTakeBack && (
        <Button
          className={classes.action}
          variant="default"
          size="sm"
          aria-label={`Take back ${formatNaira(amountKobo)} of round ${round}`}
          onClick={() => setIsAsking(true)}
        >
          Take back…
        </Button>
      )}
      <Modal
        opened={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Take ${formatNaira(amountKobo)} back?`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <TakeBack release={release} onClose={() => setIsAsking(false)} />
      </Modal>
    </li>
  );
}

function TakeBack({ release, onClose }: { release: Release; onClose: () => void }) {
  const refetch = useRefetchFarmMoney();
  const takeBack = trpc.farmReleases.takeBack.useMutation({ onSettled: refetch });
  return (
    <ReasonForm
      description={`Why the farm doesn't get it now. At least ${secondPersonLimits.reasonMin} characters; it stays in the log.`}
      submitLabel="Take back"
      isDangerous
      onSubmit={async (reason) => {
        await takeBack.mutateAsync({ releaseId: release.id, reason });
        toast.success(texts.takenBack);
        onClose();
      }}
      onCancel={onClose}
    >
      <p>The round has its money again, and it can be released anew.</p>
    </ReasonForm>
  );
}
