import { Button } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { formatBytes } from "#client/lib/format.ts";
import { ProgressMeter } from "#client/ui/feedback/progress-meter.tsx";
import { FileDrop } from "#client/ui/forms/file-drop.tsx";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { fileRules } from "#shared/files.ts";
import { AltTextField } from "./alt-text-field.tsx";
import classes from "./manage-media.module.css";
import { useVideoUpload } from "./use-video-upload.ts";

/** One video, with its progress and a way to stop it. */
export function UploadVideo({ projectId, onAdded }: { projectId: number; onAdded: () => void }) {
  const upload = useVideoUpload(projectId, onAdded);
  const percent = Math.round(upload.share * 100);
  return (
    <section className={classes.card} aria-labelledby="video-heading">
      <h2 id="video-heading" className={classes.cardTitle}>
        Upload a video
      </h2>
      <FileDrop
        label="Video"
        hint="MP4 or WebM, up to 200 MB"
        accept={fileRules.video.accept}
        file={upload.file}
        onChange={upload.choose}
        formatSize={formatBytes}
        error={upload.fault ?? undefined}
        disabled={upload.isSending}
      />
      {upload.file && <AltTextField readOnly={upload.isSending} value={upload.altText} onChange={upload.setAltText} />}
      {upload.isSending ? (
        <div className={classes.sending}>
          <span role="status">{stepText(upload.share, percent)}</span>
          <ProgressMeter percent={percent} label="Upload of the video" valueText={`${percent}%`} />
          <Button variant="default" size="sm" onClick={upload.cancel}>
            Cancel upload
          </Button>
        </div>
      ) : (
        <Button
          className={classes.submit}
          leftSection={<IconUpload size={18} aria-hidden="true" />}
          onClick={upload.send}
        >
          Upload Video
        </Button>
      )}
      <LeaveGuard isActive={upload.isSending} title="The video is still being uploaded">
        It won't be added to the gallery if you leave now.
      </LeaveGuard>
    </section>
  );
}

function stepText(share: number, percent: number): string {
  if (share === 0) return "Preparing the video…";
  return share < 1 ? `Uploading, ${percent}%` : "Checking the video…";
}
