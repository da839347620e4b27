import { ActionIcon, Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { formatBytes } from "#client/lib/format.ts";
import { ProgressMeter } from "#client/ui/feedback/progress-meter.tsx";
import { AltTextField } from "./alt-text-field.tsx";
import classes from "./manage-media.module.css";
import type { QueuedPhoto } from "./use-upload-queue.ts";

type QueuedPhotoRowProps = {
  photo: QueuedPhoto;
  onDescribe: (altText: string) => void;
  onRetry: () => void;
  onRemove: () => void;
};

/** One photo of the list: its picture, how far it is, and what went wrong. */
export function QueuedPhotoRow({ photo, onDescribe, onRetry, onRemove }: QueuedPhotoRowProps) {
  const { file, state, fault, canRetry, altText } = photo;
  const percent = Math.round(photo.share * 100);
  return (
    <li className={classes.row} data-failed={state === "failed" || undefined}>
      <Preview file={file} />
      <div className={classes.rowWords}>
        <span className={classes.fileName}>{file.name}</span>
        {state === "chosen" && <AltTextField size="sm" value={altText} onChange={onDescribe} />}
        {state === "waiting" && <span className={classes.note}>Waiting</span>}
        {state === "sending" && (
          <>
            <span className={classes.note}>{percent < 100 ? `Uploading, ${percent}%` : "Preparing the photo…"}</span>
            <ProgressMeter percent={percent} label={`Upload of ${file.name}`} size="sm" />
          </>
        )}
        {state === "failed" && (
          <span className={classes.fault} role="alert">
            {fault}
          </span>
        )}
        {state === "failed" && canRetry && (
          <Button className={classes.retry} variant="default" size="sm" onClick={onRetry}>
            Try again
          </Button>
        )}
        {state === "chosen" && <span className={classes.note}>{formatBytes(file.size)}</span>}
      </div>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={
          state === "sending" || state === "waiting" ? `Cancel the upload of ${file.name}` : `Remove ${file.name}`
        }
        onClick={onRemove}
      >
        <IconX size={18} />
      </ActionIcon>
    </li>
  );
}

function Preview({ file }: { file: File }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file.type.startsWith("image/")) return;
    const url = URL.createObjectURL(file);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return (
    <span className={classes.preview}>
      {address && <img src={address} alt="" onError={({ currentTarget }) => currentTarget.remove()} />}
    </span>
  );
}
