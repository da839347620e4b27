import { Button } from "@mantine/core";
import { ProgressMeter } from "#client/ui/feedback/progress-meter.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import classes from "./upload-progress.module.css";

type UploadProgressProps = {
  /** What is sent: "your receipt". */
  of: string;
  /** Of the bytes, 0 to 1. */
  share: number;
  onCancel: () => void;
};

/** How far an upload is, and the way to stop it. */
export function UploadProgress({ of, share, onCancel }: UploadProgressProps) {
  const percent = Math.round(share * 100);
  return (
    <div className={classes.progress}>
      <div className={classes.percent}>
        <span>{share < 1 ? `Sending ${of}…` : "Waiting for our answer…"}</span>
        <span className="money">{percent}%</span>
      </div>
      <ProgressMeter percent={percent} label={`Upload of ${of}`} valueText={`${percent}%`} />
      <ButtonRow>
        <Button variant="default" onClick={onCancel}>
          Cancel upload
        </Button>
      </ButtonRow>
    </div>
  );
}
