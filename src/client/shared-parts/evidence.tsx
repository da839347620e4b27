import { useEffect, useRef, useState } from "react";
import { errorReason, errorText, fieldErrors, RequestError } from "#client/lib/errors.ts";
import { formatBytes } from "#client/lib/format.ts";
import { checkFile, isCancelled, uploadFile } from "#client/lib/upload.ts";
import { FileDrop, UploadProgress } from "#client/ui/forms/file-drop.tsx";
import { fileRules } from "#shared/files.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";

/**
 * A file from choosing to the server's answer, which is sent to an address. What was sent once isn't sent again when
 * the form is refused.
 */
export function useEvidence(address: "/uploads/harvest-evidence" | "/uploads/payment-evidence") {
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  const sentId = useRef<string | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const upload = async (chosen: File): Promise<string> => {
    const controller = new AbortController();
    running.current = controller;
    setShare(0);
    try {
      const options = { signal: controller.signal, onProgress: setShare };
      const { fileId } = await uploadFile(address, chosen, {}, options);
      return String(fileId);
    } catch (error) {
      if (isCancelled(error) || errorReason(error) !== "invalid") throw error;
      throw new RequestError("invalid", errorText(error), { fields: { fileId: [errorText(error)] } });
    } finally {
      running.current = null;
      setShare(null);
    }
  };

  return {
    file,
    fault,
    /** The sent share of the bytes, 0 to 1; null while nothing is sent. */
    share,
    choose: (next: File | null) => {
      sentId.current = null;
      setFile(next);
      setFault(next && checkFile("evidence", next));
    },
    /** Gives what is wrong with the chosen file, and shows it. */
    check: (): string | null => {
      const found = file ? checkFile("evidence", file) : harvestTexts.evidenceFirst;
      setFault(found);
      return found;
    },
    /** Sends the file, then what it is for. Throws what either of them refuses. */
    send: async (use: (fileId: string) => Promise<unknown>): Promise<void> => {
      if (!file) throw new RequestError("invalid", harvestTexts.evidenceFirst);
      sentId.current ??= await upload(file);
      try {
        await use(sentId.current);
      } catch (error) {
        // The server doesn't know the file any more.
        if ("fileId" in fieldErrors(error)) sentId.current = null;
        throw error;
      }
    },
    cancel: () => running.current?.abort(),
  };
}

type EvidenceFieldProps = {
  label: string;
  evidence: ReturnType<typeof useEvidence>;
  /** The server's refusal of the file. */
  refused?: React.ReactNode;
};

/** Chooses a photo or a PDF, and shows how far it is sent. */
export function EvidenceField({ label, evidence, refused }: EvidenceFieldProps) {
  const { file, fault, share } = evidence;
  const error = fault ?? (typeof refused === "string" ? refused : undefined);
  return (
    <div data-field="fileId">
      <FileDrop
        label={label}
        hint="JPEG, PNG, WebP or PDF, up to 10 MB"
        accept={fileRules.evidence.accept}
        file={file}
        onChange={evidence.choose}
        formatSize={formatBytes}
        error={error}
        disabled={share !== null}
        required
      />
      {share !== null && <UploadProgress of="the file" share={share} onCancel={evidence.cancel} />}
    </div>
  );
}
