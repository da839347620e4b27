import { Button, Modal } from "@mantine/core";
import "#client/ui/mantine/overlays.css";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { useCan } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { PayoutBadge } from "#client/shared-parts/payout-badge.tsx";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { farmReleaseTexts as texts } from "#shared/payouts/releases-texts.ts";
import { payoutLimits } from "#shared/payouts/texts.ts";
import { reasonInput } from "#shared/second-person/reason.ts";
import { FarmAccount } from "./farm-account.tsx";
import classes from "./farm-money.module.css";
import { Returns } from "./returns.tsx";
import { RoundCard } from "./round-money.tsx";

type FarmMoneyData = RouterOutputs["farmReleases"]["ofProject"];
type Release = FarmMoneyData["releases"][number];

/** On the management of a project: what its funded rounds have for the farm, where it goes, and what went there. */
export default function FarmMoney({ projectId }: { projectId: number }) {
  const query = trpc.farmReleases.ofProject.useQuery({ projectId }, { staleTime: 0 });
  const refetch = useFarmUtils();
  if (!query.data) {
    if (!query.isError) return null;
    return (
      <ErrorState
        title={texts.loadFailed}
        text={errorText(query.error)}
        onRetry={() => void query.refetch()}
        isRetrying={query.isRefetching}
      />
    );
  }
  const { rounds, farms, releases } = query.data;
  if (rounds.length === 0 && releases.length === 0) return null;
  return (
    <div className={classes.card}>
      <SectionCard title="Money for the farm" text="What backers paid for a funded round goes on to its farm.">
        <div className={classes.money}>
          {rounds.map((round) => (
            <RoundCard
              key={`${round.round} ${round.releasableKobo}`}
              projectId={projectId}
              round={round}
              hasAccount={farms.some(({ id, account }) => id === round.farmId && account !== null)}
              refetch={refetch}
            />
          ))}
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
    </div>
  );
}

/** What changes here also changes payouts elsewhere. */
function useFarmUtils() {
  const utils = trpc.useUtils();
  return () =>
    Promise.all([utils.farmReleases.invalidate(), utils.payouts.invalidate(), utils.roundReturns.invalidate()]);
}

function ReleaseCard({ release }: { release: Release }) {
  const { round, amountKobo, paidBackKobo, madeByName, createdAt, payouts } = release;
  const { takenBackAt, takenBackByName, takenBackReason } = release;
  const [isAsking, setIsAsking] = useState(false);
  const mayTakeBack = useCan("payouts:process");
  return (
    <li className={classes.release}>
      <div className={classes.head}>
        <span>Round {round}</span>
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
  const refetch = useFarmUtils();
  const takeBack = trpc.farmReleases.takeBack.useMutation({ onSettled: refetch });
  return (
    <ReasonForm
      description={`Why the farm doesn't get it now. At least ${payoutLimits.reasonMin} characters; it stays in the log.`}
      submitLabel="Take back"
      isDangerous
      schema={reasonInput}
      maxLength={payoutLimits.reasonMax}
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
