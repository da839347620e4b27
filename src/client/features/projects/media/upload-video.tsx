import { Button } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { formatBytes } from "#client/lib/format.ts";
import { toast } from "#client/lib/toast.ts";
import { checkFile, isCancelled, uploadFile } from "#client/lib/upload.ts";
import { ProgressMeter } from "#client/ui/feedback/progress-meter.tsx";
import { FileDrop } from "#client/ui/forms/file-drop.tsx";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { fileRules } from "#shared/files.ts";
import { isAltTextLong, mediaTexts } from "#shared/projects/media-texts.ts";
import { AltTextField } from "./alt-text-field.tsx";
import classes from "./manage-media.module.css";

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

/** A video from choosing to the gallery. A failure keeps the file and what was written about it. */
function useVideoUpload(projectId: number, onAdded: () => void) {
  const [file, setFile] = useState<File | null>(null);
  const [altText, setAltText] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [share, setShare] = useState(0);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const mutation = useMutation({
    mutationFn: async (video: File) => {
      const controller = new AbortController();
      running.current = controller;
      const { signal } = controller;
      setShare(0);
      const posterUrl = await uploadPoster(video, signal);
      const fields = { projectId: String(projectId), altText, ...(posterUrl ? { posterUrl } : {}) };
      return uploadFile("/uploads/project-videos", video, fields, { signal, onProgress: setShare });
    },
    onSuccess: () => {
      toast.success(mediaTexts.videoAdded);
      setFile(null);
      setAltText("");
      onAdded();
    },
    onError: (error) => {
      if (isCancelled(error)) return;
      toast.error(mediaTexts.videoFailed, errorText(error));
      setFault(errorReason(error) === "network" ? `${errorText(error)} The video is still chosen.` : errorText(error));
    },
  });
  return {
    file,
    altText,
    setAltText,
    fault,
    share,
    isSending: mutation.isPending,
    choose: (chosen: File | null) => {
      setFile(chosen);
      setFault(chosen && checkFile("video", chosen));
    },
    send: () => {
      if (mutation.isPending || isAltTextLong(altText)) return;
      const found = file ? checkFile("video", file) : fileRules.video.texts.missing;
      setFault(found);
      if (file && !found) mutation.mutate(file);
    },
    cancel: () => running.current?.abort(),
  };
}

/** The picture in the video's place. Without one the video goes all the same. */
async function uploadPoster(video: File, signal: AbortSignal): Promise<string | null> {
  const poster = await drawPoster(video);
  if (!poster) return null;
  try {
    const { url } = await uploadFile("/uploads/project-image", poster, {}, { signal });
    return typeof url === "string" ? url : null;
  } catch (error) {
    if (isCancelled(error)) throw error;
    return null;
  }
}

const maxWidth = 1280;
/** Longer than this no person waits for a picture that is only decoration. */
const patienceMs = 8000;

/** A frame from near the beginning of a video, as a JPEG; null where this browser can't play it. */
async function drawPoster(file: File): Promise<File | null> {
  const url = URL.createObjectURL(file);
  const video = document.createElement("video");
  try {
    video.muted = true;
    video.playsInline = true;
    video.preload = "auto";
    video.src = url;
    await happening(video, "loadeddata");
    // The first frame is often black.
    video.currentTime = Math.min(1, (video.duration || 0) / 2);
    await happening(video, "seeked");
    return await drawFrame(video);
  } catch {
    return null;
  } finally {
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(url);
  }
}

function happening(video: HTMLVideoElement, event: "loadeddata" | "seeked"): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(reject, patienceMs);
    const end = (settle: () => void) => () => {
      clearTimeout(timer);
      settle();
    };
    video.addEventListener(event, end(resolve), { once: true });
    video.addEventListener("error", end(reject), { once: true });
  });
}

async function drawFrame(video: HTMLVideoElement): Promise<File | null> {
  const { videoWidth, videoHeight } = video;
  if (videoWidth === 0 || videoHeight === 0) return null;
  const scale = Math.min(1, maxWidth / videoWidth);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(videoWidth * scale);
  canvas.height = Math.round(videoHeight * scale);
  canvas.getContext("2d")?.drawImage(video, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
  return blob && new File([blob], "poster.jpg", { type: blob.type });
}
