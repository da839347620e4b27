import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { OpenDialog } from "#client/ui/feedback/open-dialog.tsx";
import "#client/ui/mantine/fields.css";
import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { RequestError } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { EvidenceField, useEvidence } from "#client/shared-parts/evidence.tsx";
import { type Person, UserPicker } from "#client/shared-parts/user-picker.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import {
  type HolderChangeCause,
  holderChangeCauseLabels,
  holderChangeCauses,
  holderChangeTexts as texts,
} from "#shared/payments/holder-changes-texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import classes from "./holder-changes.module.css";

type ChangeHolderProps = { paymentId: number; onClose: () => void };

const causeOptions = [
  { value: "", label: "Choose the reason" },
  ...holderChangeCauses.map((value) => ({ value, label: holderChangeCauseLabels[value] })),
];

/** Asks another owner to pass what the holder of a payment has in its round to somebody else. */
export default function ChangeHolder({ paymentId, onClose }: ChangeHolderProps) {
  return (
    <OpenDialog onClose={onClose} title="Change of holder" size="lg">
      <Preview paymentId={paymentId} onClose={onClose} />
    </OpenDialog>
  );
}

function Preview({ paymentId, onClose }: ChangeHolderProps) {
  const preview = trpc.holderChanges.preview.useQuery({ paymentId }, { staleTime: 0 });
  if (!preview.data) {
    if (preview.isError) {
      return <LoadFailed query={preview} title={texts.fetchFailed} />;
    }
    return (
      <Loading label="Loading what would pass">
        <SkeletonText lines={4} />
      </Loading>
    );
  }
  const { refusal, moves, fromUserId, fromName } = preview.data;
  if (refusal !== null) return <Notice tone="neutral" title={refusal} />;
  return <AskForm paymentId={paymentId} fromUserId={fromUserId} fromName={fromName} moves={moves} onClose={onClose} />;
}

type AskFormProps = ChangeHolderProps & { fromUserId: string; fromName: string; moves: string[] };

function AskForm({ paymentId, fromUserId, fromName, moves, onClose }: AskFormProps) {
  const ask = useAskSecondPerson();
  const evidence = useEvidence("/uploads/payment-evidence");
  const [text, setText] = useState("");
  const [picked, setPicked] = useState<Person | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [cause, setCause] = useState<HolderChangeCause | null>(null);
  const [isCauseAsked, setIsCauseAsked] = useState(false);
  const send = async (reason: string) => {
    if (!picked) setFault(texts.pickFirst);
    setIsCauseAsked(cause === null);
    const missing = evidence.check();
    if (!picked) throw new RequestError("invalid", texts.pickFirst);
    if (cause === null) throw new RequestError("invalid", texts.causeFirst);
    if (missing !== null) throw new RequestError("invalid", missing);
    await evidence.send((fileId) =>
      ask.mutateAsync({
        kind: "change_holder",
        details: { paymentId, fromUserId, toUserId: picked.id, cause, fileIds: [fileId] },
        reason,
      }),
    );
    onClose();
  };
  return (
    <ReasonForm
      description={`For the other owner and for both people. At least ${secondPersonLimits.reasonMin} characters.`}
      submitLabel="Send to another owner"
      onSubmit={send}
      onCancel={onClose}
    >
      <h3 className={classes.heading}>Pass {fromName}'s lots to somebody else?</h3>
      <ul className={classes.moves}>
        {[...moves, texts.wait, ...texts.effects].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <UserPicker
        label="New holder"
        text={text}
        isPicked={picked !== null}
        error={fault}
        onType={(typed) => {
          setText(typed);
          setPicked(null);
          setFault(null);
        }}
        onPick={(person) => {
          setPicked(person);
          setText(`${person.fullName} (${person.email})`);
          setFault(null);
        }}
      />
      <NativeSelect
        label="Why"
        data={causeOptions}
        value={cause ?? ""}
        error={isCauseAsked ? texts.causeFirst : null}
        onChange={({ currentTarget }) => {
          setCause(holderChangeCauses.find((one) => one === currentTarget.value) ?? null);
          setIsCauseAsked(false);
        }}
      />
      <EvidenceField label="The paper that proves it" evidence={evidence} />
    </ReasonForm>
  );
}
