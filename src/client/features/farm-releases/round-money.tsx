import "#client/ui/mantine/fields.css";
import { Button, Modal, TextInput } from "@mantine/core";
import "#client/ui/mantine/overlays.css";
import { type ReactNode, useState } from "react";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { errorText } from "#client/lib/errors.ts";
import { useCan } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { formatNaira, type Kobo, koboToNairaText, MAX_STATEMENT_KOBO, parseNaira } from "#shared/money.ts";
import { farmReleaseTexts as texts } from "#shared/payouts/releases-texts.ts";
import { roundReturnTexts } from "#shared/payouts/returns-texts.ts";
import { reasonInput } from "#shared/second-person/reason.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import classes from "./farm-money.module.css";

export type RoundMoney = RouterOutputs["farmReleases"]["ofProject"]["rounds"][number];

type RoundCardProps = {
  projectId: number;
  round: RoundMoney;
  hasAccount: boolean;
  /** Reads anew what a release changes. */
  refetch: () => Promise<unknown>;
};

/** What a round has for its farm, where the rest of it went, and what owners may do with what is there. */
export function RoundCard({ projectId, round, hasAccount, refetch }: RoundCardProps) {
  const [dialog, setDialog] = useState<"release" | "return" | null>(null);
  const { round: number, farmId, outcome, owedKobo, releasedKobo, returnedKobo, unseenKobo, releasableKobo } = round;
  const close = () => setDialog(null);
  const mayRelease = useCan("payouts:process");
  const mayEdit = useCan("projects:edit");
  const goneKobo = releasedKobo + returnedKobo;
  const isThere = releasableKobo > 0n;
  const sums: [string, string, boolean][] = [
    [`Round ${number}, for the farm`, formatNaira(owedKobo + goneKobo), true],
    ["At the farm", owedKobo > 0n || returnedKobo > 0n ? formatNaira(releasedKobo) : "All of it", releasedKobo > 0n],
    ["Returned to backers", formatNaira(returnedKobo), returnedKobo > 0n],
    ["With us", formatNaira(owedKobo), goneKobo > 0n && owedKobo > 0n],
  ];
  return (
    <section className={classes.round} aria-label={`Round ${number}`}>
      <dl className={classes.sums}>
        {sums.map(
          ([label, value, isShown]) =>
            isShown && (
              <div key={label}>
                <dt>{label}</dt>
                <dd className="money">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {outcome === "funded" && unseenKobo > 0n && <Notice tone="caution" title={texts.inTransit(unseenKobo)} />}
      {outcome === "funded" && isThere && farmId === null && (
        <Notice tone="caution" title={texts.noFarm}>
          {mayEdit && (
            <LinkButton to="/edit-project/$id" params={{ id: String(projectId) }} variant="default" size="sm">
              {texts.chooseFarm}
            </LinkButton>
          )}
        </Notice>
      )}
      {isThere && mayRelease && (
        <ButtonRow>
          {outcome === "funded" && farmId !== null && (
            <Button onClick={() => setDialog("release")}>Release to the farm…</Button>
          )}
          <Button variant="default" onClick={() => setDialog("return")}>
            Return to backers…
          </Button>
        </ButtonRow>
      )}
      <Release
        isOpen={dialog === "release"}
        projectId={projectId}
        round={round}
        hasAccount={hasAccount}
        onClose={close}
        refetch={refetch}
      />
      <Modal
        opened={dialog === "return"}
        onClose={close}
        title={`Return money of round ${number} to its backers?`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <ReturnToBackers projectId={projectId} round={round} onClose={close} />
      </Modal>
    </section>
  );
}

/** An amount of at most what a round has, as it is typed. */
function useAmount(there: Kobo) {
  const [typed, setTyped] = useState(koboToNairaText(there));
  const kobo = parseNaira(typed, MAX_STATEMENT_KOBO);
  const fault = kobo === null || kobo === 0n ? "Enter an amount like 250,000" : null;
  const error = fault ?? (kobo !== null && kobo > there ? texts.moreThanThere(there) : null);
  return {
    /** Null while it can't be used. */
    kobo: error === null ? kobo : null,
    field: (
      <TextInput
        label="Amount"
        leftSection="₦"
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        error={error}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    ),
  };
}

type ReleaseProps = RoundCardProps & { isOpen: boolean; onClose: () => void };

/** Releases all that is there, or a part. Where an alarm is about the money, another owner has to agree and reads why. */
function Release({ isOpen, projectId, round, hasAccount, onClose, refetch }: ReleaseProps) {
  const { round: number, releasableKobo, alarms } = round;
  const release = trpc.farmReleases.release.useMutation({
    onSuccess: () => toast.success(texts.released),
    onError: (error) => toast.error(texts.releaseFailed, errorText(error)),
    onSettled: async () => {
      onClose();
      await refetch();
    },
  });
  const ask = useAskSecondPerson();
  const amount = useAmount(releasableKobo);
  const title = `Release money of round ${number} to the farm?`;
  const consequences = (
    <>
      {amount.field}
      <p>
        It is paid with the next payment run, which two owners have to agree to. While it is due or went there, none of
        the round's approvals can be taken back.
      </p>
      {!hasAccount && <p>{texts.accountNeeded}</p>}
    </>
  );
  if (alarms.length === 0) {
    return (
      <LazyConfirmDialog
        opened={isOpen}
        title={title}
        confirmLabel="Release"
        isPending={release.isPending}
        onConfirm={() =>
          amount.kobo !== null &&
          release.mutate({ projectId, round: number, seenKobo: releasableKobo, amountKobo: amount.kobo })
        }
        onClose={onClose}
      >
        {consequences}
      </LazyConfirmDialog>
    );
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} closeButtonProps={{ "aria-label": "Close" }}>
      <ToAnotherOwner
        description={`What you know about it, for the other owner. At least ${secondPersonLimits.reasonMin} characters.`}
        onSubmit={async (reason) => {
          if (amount.kobo === null) return;
          const details = {
            projectId,
            round: number,
            seenKobo: String(releasableKobo),
            amountKobo: String(amount.kobo),
          };
          await ask.mutateAsync({ kind: "release_to_farm", details, reason });
          onClose();
        }}
        onCancel={onClose}
      >
        <p>{texts.alarm(alarms)}</p>
        {amount.field}
      </ToAnotherOwner>
    </Modal>
  );
}

type ReturnProps = { projectId: number; round: RoundMoney; onClose: () => void };

/** Asks another owner to return money of a round to its backers, and shows who would get how much. */
function ReturnToBackers({ projectId, round: { round, releasableKobo }, onClose }: ReturnProps) {
  const ask = useAskSecondPerson();
  const amount = useAmount(releasableKobo);
  const asked = { projectId, round, amountKobo: String(amount.kobo) };
  const preview = trpc.roundReturns.preview.useQuery(asked, { enabled: amount.kobo !== null, staleTime: 0 });
  return (
    <ToAnotherOwner
      description={`The round's backers read it. At least ${secondPersonLimits.reasonMin} characters.`}
      onSubmit={async (reason) => {
        if (amount.kobo === null) return;
        await ask.mutateAsync({ kind: "return_to_backers", details: asked, reason });
        onClose();
      }}
      onCancel={onClose}
    >
      <p>For money that the farm didn't get, or paid back: a lost batch, a farm that gave up, a round that ended.</p>
      {amount.field}
      <p role="status">
        {amount.kobo === null
          ? ""
          : preview.isError
            ? `${roundReturnTexts.previewFailed}. ${errorText(preview.error)}`
            : `${preview.data?.text ?? "…"} ${roundReturnTexts.consequence}`}
      </p>
    </ToAnotherOwner>
  );
}

type ToAnotherOwnerProps = {
  description: string;
  onSubmit: (reason: string) => Promise<unknown>;
  onCancel: () => void;
  children: ReactNode;
};

export function ToAnotherOwner(props: ToAnotherOwnerProps) {
  return (
    <ReasonForm
      submitLabel="Send to another owner"
      schema={reasonInput}
      maxLength={secondPersonLimits.reasonMax}
      {...props}
    />
  );
}
