import "#client/ui/mantine/fields.css";
import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { EvidenceFiles, useEvidenceFiles } from "#client/shared-parts/evidence-files.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { releaseAskLimits as limits, releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";
import classes from "./ask-for-part.module.css";

type AskForPartProps = {
  /** The proof that the farm agreed to show; empty where none was named. */
  proof: string;
  /** Sends the ask. A refusal is shown here, and nothing that was chosen is lost. */
  onAsk: (ask: { note: string; fileIds: string[] }) => Promise<unknown>;
  onCancel: () => void;
};

/** Asks for a part of a round's money, with photos and papers that are sent as soon as they are chosen. */
export function AskForPart({ proof, onAsk, onCancel }: AskForPartProps) {
  const [note, setNote] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
  const files = useEvidenceFiles({ address: "/uploads/release-proofs", most: limits.proofs, many: texts.proofsMany });

  const send = async () => {
    if (isPending || files.isSending) return;
    const fault = files.findFault(proof === "" ? null : texts.proofNeeded(proof));
    setProblem(fault);
    if (fault !== null) return;
    setIsPending(true);
    await onAsk({ note, fileIds: files.listFileIds() }).catch((error: unknown) => {
      setProblem(errorText(error));
      files.resendRefused(error);
    });
    setIsPending(false);
  };

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <EvidenceFiles
        label={proof === "" ? "Photos or papers (optional)" : `Proof: ${proof}`}
        hint={texts.proofsPublic}
        listLabel="Proof"
        files={files}
        disabled={isPending}
      />
      <Textarea
        label="What it is for (optional)"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={limits.note}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <ButtonRow>
        <Button type="submit" loading={isPending} disabled={files.isSending}>
          {files.isSending ? "Sending the files…" : "Ask for this part"}
        </Button>
        <Button variant="default" disabled={isPending} onClick={onCancel}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
}
