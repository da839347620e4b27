import "#client/ui/mantine/fields.css";
import { ActionIcon } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useRef } from "react";
import { fieldErrors } from "#client/lib/errors.ts";
import { uploadFile } from "#client/lib/upload.ts";
import { FilesDrop } from "#client/ui/forms/file-drop.tsx";
import { fileRules } from "#shared/files.ts";
import { releasePartTexts } from "#shared/payouts/release-parts-texts.ts";
import { usePhotoQueue } from "./photo-queue.ts";
import { PhotoRow, PhotoRows } from "./photo-row.tsx";

type Sending = {
  address: "/uploads/harvest-evidence" | "/uploads/release-proofs";
  most: number;
  /** Said where there are more. */
  many: string;
};

/** Photos and papers that are sent to an address as soon as they are chosen, for a form that names them. */
export function useEvidenceFiles({ address, most, many }: Sending) {
  const fileIds = useRef(new Map<string, string>());
  const queue = usePhotoQueue({
    begins: "waiting",
    kind: "evidence",
    send: async (file, { key }, options) => {
      const { fileId } = await uploadFile(address, file, {}, options);
      fileIds.current.set(key, String(fileId));
      return "";
    },
  });
  const { photos } = queue;
  return {
    ...queue,
    most,
    /** Returns the fault that keeps the form from being sent, or null. `missing` is said where no file is there. */
    findFault(missing: string | null): string | null {
      if (photos.length === 0) return missing;
      if (photos.length > most) return many;
      return photos.some(({ state }) => state === "failed") ? releasePartTexts.proofFailed : null;
    },
    listFileIds: () => photos.flatMap(({ key }) => fileIds.current.get(key) ?? []),
    /** After a refusal: what the server doesn't keep any more is sent again. */
    resendRefused(error: unknown) {
      if ("fileIds" in fieldErrors(error)) queue.arrange((list) => list.map((one) => ({ ...one, state: "waiting" })));
    },
  };
}

type EvidenceFilesProps = {
  label: string;
  /** Who sees them. */
  hint: string;
  /** The name of the list of chosen ones. */
  listLabel: string;
  files: ReturnType<typeof useEvidenceFiles>;
  disabled: boolean;
};

/** Chooses them, and shows how far each is sent. */
export function EvidenceFiles({ label, hint, listLabel, files, disabled }: EvidenceFilesProps) {
  return (
    <>
      <FilesDrop
        label={label}
        hint={`JPEG, PNG, WebP or PDF, up to 10 MB each, at most ${files.most}. ${hint}`}
        accept={fileRules.evidence.accept}
        onAdd={files.add}
        disabled={disabled}
      />
      {files.photos.length > 0 && (
        <PhotoRows label={listLabel}>
          {files.photos.map((photo) => (
            <PhotoRow
              key={photo.key}
              photo={photo}
              onRetry={() => files.retry(photo.key)}
              buttons={
                <ActionIcon
                  variant="default"
                  size="lg"
                  aria-label={`Remove ${photo.name}`}
                  disabled={disabled}
                  onClick={() => files.remove(photo.key)}
                >
                  <IconX size={18} />
                </ActionIcon>
              }
            />
          ))}
        </PhotoRows>
      )}
    </>
  );
}
