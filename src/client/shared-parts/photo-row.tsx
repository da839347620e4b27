import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { ProgressMeter } from "#client/ui/feedback/progress-meter.tsx";
import { Picture } from "#client/ui/media/picture.tsx";
import type { QueuedPhoto } from "./photo-queue.ts";
import classes from "./photo-row.module.css";

type PhotoRowProps = {
  photo: QueuedPhoto;
  /** Stands above the file's name, and names the row. */
  heading?: string;
  onRetry: () => void;
  /** The photo's text fields. */
  children?: ReactNode;
  buttons: ReactNode;
};

/** The list that holds rows of photos. */
export function PhotoRows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.rows} aria-label={label}>
      {children}
    </ul>
  );
}

/** One photo of a list: its picture, how far it is, and what went wrong. */
export function PhotoRow({ photo, heading, onRetry, children, buttons }: PhotoRowProps) {
  const { name, state, fault, canRetry } = photo;
  const percent = Math.round(photo.share * 100);
  return (
    <li className={classes.row} data-photo={photo.key} data-failed={state === "failed" || undefined}>
      <Preview photo={photo} />
      <div className={classes.words}>
        {heading && <span className={classes.heading}>{heading}</span>}
        <span className={classes.line}>
          <span className={heading ? classes.note : classes.heading}>{name}</span>
          {state === "sent" && <span className={classes.note}>Uploaded</span>}
        </span>
        {state === "waiting" && <span className={classes.note}>Waiting</span>}
        {state === "sending" && (
          <>
            <span className={classes.note}>{percent < 100 ? `Uploading, ${percent}%` : "Preparing the photo…"}</span>
            <ProgressMeter percent={percent} label={`Upload of ${name}`} size="sm" />
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
      </div>
      {children && <div className={classes.about}>{children}</div>}
      <div className={classes.buttons}>{buttons}</div>
    </li>
  );
}

/** The picture as it was chosen, or as the server has it. */
function Preview({ photo: { file, url } }: { photo: QueuedPhoto }) {
  const [chosen, setChosen] = useState<string | null>(null);
  useEffect(() => {
    if (!file?.type.startsWith("image/")) return;
    const address = URL.createObjectURL(file);
    setChosen(address);
    return () => URL.revokeObjectURL(address);
  }, [file]);
  return (
    <span className={classes.preview}>
      {chosen && <img src={chosen} alt="" onError={({ currentTarget }) => currentTarget.remove()} />}
      {!file && url && <Picture src={url} alt="" sizes="6rem" width={96} height={96} />}
    </span>
  );
}
