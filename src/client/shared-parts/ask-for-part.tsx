import "#client/ui/mantine/fields.css";
import { ActionIcon, Button, Textarea } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { errorText, fieldErrors } from "#client/lib/errors.ts";
import { uploadFile } from "#client/lib/upload.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { FilesDrop } from "#client/ui/forms/file-drop.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { fileRules } from "#shared/files.ts";
import { releaseAskLimits as limits, releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";
import classes from "./ask-for-part.module.css";
import { usePhotoQueue } from "./photo-queue.ts";
import { PhotoRow, PhotoRows } from "./photo-row.tsx";

type AskForPartProps = {
  /** What the farm agreed to show; empty where nothing was named. */
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
  const fileIds = useRef(new Map<string, string>());
  const queue = usePhotoQueue({
    begins: "waiting",
    kind: "evidence",
    send: async (file, { key }, options) => {
      const { fileId } = await uploadFile("/uploads/release-proofs", file, {}, options);
      fileIds.current.set(key, String(fileId));
      return "";
    },
  });
  const { photos } = queue;
  const isProofMissing = proof !== "" && photos.length === 0;
  const fault = isProofMissing
    ? texts.proofNeeded(proof)
    : photos.length > limits.proofs
      ? texts.proofsMany
      : photos.some(({ state }) => state === "failed")
        ? texts.proofFailed
        : null;

  const send = async () => {
    if (isPending || queue.isSending) return;
    setProblem(fault);
    if (fault !== null) return;
    setIsPending(true);
    const sent = photos.flatMap(({ key }) => fileIds.current.get(key) ?? []);
    await onAsk({ note, fileIds: sent }).catch((error: unknown) => {
      setProblem(errorText(error));
      // The server doesn't keep them any more: they are sent again.
      if ("fileIds" in fieldErrors(error)) queue.arrange((list) => list.map((one) => ({ ...one, state: "waiting" })));
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
      <FilesDrop
        label={proof === "" ? "Photos or papers (optional)" : `Proof: ${proof}`}
        hint={`JPEG, PNG, WebP or PDF, up to 10 MB each, at most ${limits.proofs}. ${texts.proofsPublic}`}
        accept={fileRules.evidence.accept}
        onAdd={queue.add}
        disabled={isPending}
      />
      {photos.length > 0 && (
        <PhotoRows label="Proof">
          {photos.map((photo) => (
            <PhotoRow
              key={photo.key}
              photo={photo}
              onRetry={() => queue.retry(photo.key)}
              buttons={
                <ActionIcon
                  variant="default"
                  size="lg"
                  aria-label={`Remove ${photo.name}`}
                  disabled={isPending}
                  onClick={() => queue.remove(photo.key)}
                >
                  <IconX size={18} />
                </ActionIcon>
              }
            />
          ))}
        </PhotoRows>
      )}
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
        <Button type="submit" loading={isPending} disabled={queue.isSending}>
          {queue.isSending ? "Sending the files…" : "Ask for this part"}
        </Button>
        <Button variant="default" disabled={isPending} onClick={onCancel}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
}
