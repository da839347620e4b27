import { Button, Modal } from "@mantine/core";
import "#client/ui/mantine/overlays.css";
import { type ReactNode, useState } from "react";
import { AskForPart } from "#client/features/payouts/release-parts/ask-for-part.tsx";
import { releasePartTones } from "#client/features/payouts/release-parts/release-part-tones.ts";
import { ProofFiles } from "#client/features/payouts/release-parts/release-proofs.tsx";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { PhotoFinding } from "#client/shared-parts/photo-finding.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { refusalForm } from "#shared/payouts/release-parts.ts";
import {
  releaseAskLimits,
  releasePartStateLabels,
  releasePartTexts as texts,
} from "#shared/payouts/release-parts-texts.ts";
import { formatRate } from "#shared/projects/terms-texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import classes from "./farm-money.module.css";

type Round = RouterOutputs["releaseParts"]["ofProject"][number];
export type Part = Round["parts"][number];
export type Ask = Round["asks"][number];

type PartCardProps = {
  projectId: number;
  round: Round;
  part: Part;
  mayManage: boolean;
  mayAskTwo: boolean;
  /** The button that releases it, for who may. */
  release: ReactNode;
};

type Dialog = "ask" | "refuse" | "skip";

/** One part of a round's money: what was agreed, how far it is, and what may be done next. */
export function PartCard({ projectId, round, part, mayManage, mayAskTwo, release }: PartCardProps) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  const { part: number, label, rate, proof, state, amountKobo, releasedKobo, askableFrom } = part;
  const asks = round.asks.filter((ask) => ask.part === number);
  const [last, ...earlier] = asks;
  const refetch = useRefetchParts();
  const title = `Part ${number} of ${round.parts.length}`;
  const key = { projectId, round: round.round, part: number };
  const isOpen = state === "planned" || state === "refused";
  return (
    <li className={classes.part} aria-label={`${title}: ${label}`}>
      <div className={classes.head}>
        <span>
          {title}: {label}
        </span>
        <span className="money">{formatNaira(amountKobo)}</span>
      </div>
      <div className={classes.facts}>
        <StatusBadge tone={releasePartTones[state]}>{releasePartStateLabels[state]}</StatusBadge>
        <span className={classes.fine}>{formatRate(rate)} of what was raised</span>
        {isOpen && askableFrom && <span className={classes.fine}>From {formatDate(askableFrom)} on</span>}
        {releasedKobo > 0n && releasedKobo !== amountKobo && (
          <span className={classes.fine}>{formatNaira(releasedKobo)} released</span>
        )}
      </div>
      {proof !== "" && <p className={classes.fine}>Proof that was agreed: {proof}</p>}
      {part.skippedReason && <p>Left out: {part.skippedReason}</p>}
      {part.publicReason && <p>Released though reports were missing: {part.publicReason}</p>}
      {last && <AskDetails ask={last} mayManage={mayManage && last.verdict === null} />}
      {earlier.length > 0 && (
        <details className={classes.earlier}>
          <summary>Asked for {earlier.length === 1 ? "once" : `${earlier.length} times`} before</summary>
          {earlier.map((ask) => (
            <AskDetails key={ask.id} ask={ask} mayManage={false} />
          ))}
        </details>
      )}
      <ButtonRow>
        {mayManage && last?.verdict === null && <Check ask={last} />}
        {mayManage && (state === "asked" || state === "checked") && (
          <Button variant="default" size="sm" onClick={() => setDialog("refuse")}>
            Refuse…
          </Button>
        )}
        {release}
        {mayManage && part.canBeAskedFor && round.hasSteps && (
          <Button variant="default" size="sm" onClick={() => setDialog("ask")}>
            Ask for the farm…
          </Button>
        )}
        {mayAskTwo && round.hasSteps && (isOpen || state === "skipped") && (
          <Button variant="default" size="sm" onClick={() => setDialog("skip")}>
            {state === "skipped" ? "Ask for it after all…" : "Leave out…"}
          </Button>
        )}
      </ButtonRow>
      <PartDialog opened={dialog === "ask"} title={`Ask for part ${number}: ${label}`} onClose={close}>
        <AskAsManager ofPart={key} proof={proof} onClose={close} />
      </PartDialog>
      <PartDialog opened={dialog === "refuse"} title={`Refuse part ${number}?`} onClose={close}>
        {last && <Refuse askId={last.id} onClose={close} />}
      </PartDialog>
      <PartDialog
        opened={dialog === "skip"}
        title={state === "skipped" ? `Ask for part ${number} after all?` : `Leave part ${number} out?`}
        onClose={close}
      >
        <Skip ofPart={key} isSkipped={state !== "skipped"} onClose={close} refetch={refetch} />
      </PartDialog>
    </li>
  );
}

/** Returns a call that refetches the parts, and the round's money, which changes with them. */
function useRefetchParts() {
  const utils = trpc.useUtils();
  return () => Promise.all([utils.releaseParts.invalidate(), utils.farmReleases.invalidate()]);
}

type PartDialogProps = { opened: boolean; title: string; onClose: () => void; children: ReactNode };

function PartDialog({ children, ...modal }: PartDialogProps) {
  return (
    <Modal {...modal} closeOnClickOutside={false} closeButtonProps={{ "aria-label": "Close" }}>
      {children}
    </Modal>
  );
}

/** Who asked with what, what was noticed about it, and what became of it. */
function AskDetails({ ask, mayManage }: { ask: Ask; mayManage: boolean }) {
  const { askedByName, askedAt, note, verdict, decidedByName, decidedAt, refusal, proofs } = ask;
  const decided = verdict && decidedAt && `${decidedByName ?? "nobody known"} on ${formatDate(decidedAt)}`;
  return (
    <div className={classes.ask}>
      <p className={classes.fine}>
        Asked for by {askedByName ?? "nobody known"} on {formatDate(askedAt)}
      </p>
      {note !== "" && <p>{note}</p>}
      <ProofFiles proofs={proofs} of={`the proof of ${formatDate(askedAt)}`} />
      {proofs.flatMap(({ url, at, takenAt, findings }, place) =>
        findings.map((finding) => (
          <FoundInProof
            key={finding.id}
            finding={finding}
            photo={{ url, at, takenAt }}
            place={place + 1}
            mayDecide={mayManage}
          />
        )),
      )}
      {verdict === "checked" && <p className={classes.fine}>Checked by {decided}</p>}
      {verdict === "refused" && (
        <p>
          Refused by {decided}: {refusal}
        </p>
      )}
    </div>
  );
}

type FoundProps = {
  finding: Ask["proofs"][number]["findings"][number];
  photo: { url: string | null; at: Date; takenAt: Date | null };
  place: number;
  mayDecide: boolean;
};

function FoundInProof({ finding, photo, place, mayDecide }: FoundProps) {
  const refetch = useRefetchParts();
  const decide = trpc.releaseParts.decideFinding.useMutation({
    onSettled: refetch,
    onError: (error) => toast.error("This didn't work.", errorText(error)),
  });
  return (
    <PhotoFinding
      finding={finding}
      photo={photo}
      place={place}
      where="This proof"
      pending={decide.isPending ? decide.variables.verdict : null}
      {...(mayDecide && { onDecide: (verdict) => decide.mutate({ findingId: finding.id, verdict }) })}
    />
  );
}

/** Who may not check it reads why. */
function Check({ ask }: { ask: Ask }) {
  const refetch = useRefetchParts();
  const check = trpc.releaseParts.check.useMutation({
    onSuccess: () => toast.success(texts.checked),
    onError: (error) => toast.error(texts.checkFailed, errorText(error)),
    onSettled: refetch,
  });
  if (ask.checkRefusal !== null) return <p className={classes.fine}>{ask.checkRefusal}</p>;
  return (
    <Button size="sm" loading={check.isPending} onClick={() => check.mutate({ askId: ask.id })}>
      The proof is right
    </Button>
  );
}

function Refuse({ askId, onClose }: { askId: number; onClose: () => void }) {
  const refetch = useRefetchParts();
  const refuse = trpc.releaseParts.refuse.useMutation({ onSettled: refetch });
  const { min, max } = releaseAskLimits.refusal;
  return (
    <ReasonForm
      description={`The farm reads it, and may ask again. At least ${min} characters.`}
      submitLabel="Refuse"
      isDangerous
      schema={refusalForm}
      maxLength={max}
      onSubmit={async (refusal) => {
        await refuse.mutateAsync({ askId, refusal });
        toast.success(texts.refused);
        onClose();
      }}
      onCancel={onClose}
    />
  );
}

type OfPart = { projectId: number; round: number; part: number };

function AskAsManager({ ofPart, proof, onClose }: { ofPart: OfPart; proof: string; onClose: () => void }) {
  const refetch = useRefetchParts();
  const ask = trpc.releaseParts.ask.useMutation({ onSettled: refetch });
  return (
    <AskForPart
      proof={proof}
      onAsk={async (asked) => {
        await ask.mutateAsync({ ...ofPart, ...asked });
        toast.success(texts.askedFor);
        onClose();
      }}
      onCancel={onClose}
    />
  );
}

type SkipProps = { ofPart: OfPart; isSkipped: boolean; onClose: () => void; refetch: () => Promise<unknown> };

function Skip({ ofPart, isSkipped, onClose, refetch }: SkipProps) {
  const ask = useAskSecondPerson(refetch);
  return (
    <ReasonForm
      description={`Everybody reads it. At least ${secondPersonLimits.reasonMin} characters.`}
      submitLabel="Send to another owner"
      onSubmit={async (reason) => {
        await ask.mutateAsync({ kind: "skip_part", details: { ...ofPart, isSkipped }, reason });
        onClose();
      }}
      onCancel={onClose}
    >
      <p>{isSkipped ? texts.skipConsequence : texts.unskipConsequence}</p>
    </ReasonForm>
  );
}
