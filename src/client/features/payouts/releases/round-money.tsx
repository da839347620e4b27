import "#client/ui/mantine/fields.css";
import { Button, Modal, TextInput } from "@mantine/core";
import "#client/ui/mantine/overlays.css";
import { useState } from "react";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { errorText } from "#client/lib/errors.ts";
import { useCan, useViewer } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { type Kobo, koboToNairaText, MAX_STATEMENT_KOBO, parseNaira, smaller } from "#shared/money.ts";
import { releasePartTexts as partTexts } from "#shared/payouts/release-parts-texts.ts";
import { farmReleaseTexts as texts } from "#shared/payouts/releases-texts.ts";
import { roundReturnTexts } from "#shared/payouts/returns-texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import type { Ask, Part } from "./part-card.tsx";

export type RoundMoney = RouterOutputs["farmReleases"]["ofProject"]["rounds"][number];

/** The round's money that the bank hasn't shown yet, and the owners' choices for the rest besides releasing it. */
export function RoundNotices({ projectId, round }: { projectId: number; round: RoundMoney }) {
  const [isReturning, setIsReturning] = useState(false);
  const close = () => setIsReturning(false);
  const mayEdit = useCan("projects:edit");
  const mayAskTwo = useCan("payments:process");
  const { round: number, farmId, outcome, unseenKobo, releasableKobo } = round;
  const isThere = releasableKobo > 0n;
  return (
    <>
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
      {isThere && mayAskTwo && (
        <ButtonRow>
          <Button variant="default" size="sm" onClick={() => setIsReturning(true)}>
            Return to backers…
          </Button>
        </ButtonRow>
      )}
      <Modal
        opened={isReturning}
        onClose={close}
        title={`Return money of round ${number} to its backers?`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <ReturnToBackers projectId={projectId} round={round} onClose={close} />
      </Modal>
    </>
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

type ReleasedPart = Pick<Part, "part" | "label" | "releasableKobo"> & {
  ask: Pick<Ask, "id" | "askedBy" | "decidedBy"> | null;
};

type ReleaseProps = {
  projectId: number;
  round: RoundMoney;
  part: ReleasedPart;
  /** The farm missed two reports in a row. */
  isStopped: boolean;
  hasAccount: boolean;
  /** Reads anew what a release changes. */
  refetch: () => Promise<unknown>;
};

/**
 * Releases all that is there of a part, or less. Where an alarm is about the money, the farm is silent, or the same
 * person asked or checked, another owner has to agree and reads why.
 */
export function ReleasePart({ projectId, round, part, isStopped, hasAccount, refetch }: ReleaseProps) {
  const [isOpen, setIsOpen] = useState(false);
  const onClose = () => setIsOpen(false);
  const viewer = useViewer();
  const { round: number, releasableKobo: seenKobo, alarms } = round;
  const release = trpc.farmReleases.release.useMutation({
    onSuccess: () => toast.success(texts.released),
    onError: (error) => toast.error(texts.releaseFailed, errorText(error)),
    onSettled: async () => {
      onClose();
      await refetch();
    },
  });
  const ask = useAskSecondPerson();
  const amount = useAmount(smaller(part.releasableKobo, seenKobo));
  const title = `Release money of round ${number} to the farm?`;
  const isOwn = viewer !== null && (part.ask?.askedBy === viewer?.id || part.ask?.decidedBy === viewer?.id);
  const reasons = [
    ...(alarms.length > 0 ? [texts.alarm(alarms)] : []),
    ...(isStopped ? [partTexts.stopped] : []),
    ...(isOwn ? [partTexts.checkedByYou] : []),
  ];
  const key = { projectId, round: number, part: part.part, askId: part.ask?.id ?? null };
  const field = (
    <>
      <p>{part.label}</p>
      {amount.field}
    </>
  );
  return (
    <>
      <Button size="sm" onClick={() => setIsOpen(true)}>
        Release to the farm…
      </Button>
      {reasons.length === 0 ? (
        <LazyConfirmDialog
          opened={isOpen}
          title={title}
          confirmLabel="Release"
          isPending={release.isPending}
          onConfirm={() => amount.kobo !== null && release.mutate({ ...key, seenKobo, amountKobo: amount.kobo })}
          onClose={onClose}
        >
          {field}
          <p>
            It is paid with the next payment run, which two owners have to agree to. While it is due or went there, none
            of the round's approvals can be taken back.
          </p>
          {!hasAccount && <p>{texts.accountNeeded}</p>}
        </LazyConfirmDialog>
      ) : (
        <Modal opened={isOpen} onClose={onClose} title={title} closeButtonProps={{ "aria-label": "Close" }}>
          <ReasonForm
            description={`What you know about it, for the other owner. At least ${secondPersonLimits.reasonMin} characters.`}
            submitLabel="Send to another owner"
            onSubmit={async (reason) => {
              if (amount.kobo === null) return;
              const details = { ...key, seenKobo: String(seenKobo), amountKobo: String(amount.kobo) };
              await ask.mutateAsync({ kind: "release_to_farm", details, reason });
              onClose();
            }}
            onCancel={onClose}
          >
            {reasons.map((reason) => (
              <p key={reason}>{reason}</p>
            ))}
            {!isStopped && <p>{partTexts.reasonMayBePublic}</p>}
            {field}
          </ReasonForm>
        </Modal>
      )}
    </>
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
    <ReasonForm
      description={`The round's backers read it. At least ${secondPersonLimits.reasonMin} characters.`}
      submitLabel="Send to another owner"
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
    </ReasonForm>
  );
}
