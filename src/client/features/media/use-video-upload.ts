import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { checkFile } from "#client/lib/check-file.ts";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { isCancelled, uploadFile } from "#client/lib/upload.ts";
import { fileRules } from "#shared/files.ts";
import { isAltTextLong, mediaTexts } from "#shared/media-texts.ts";
import { drawPoster } from "./draw-poster.ts";

/** A video from choosing to the gallery. A failure keeps the file and what was written about it. */
export function useVideoUpload(projectId: number, onAdded: () => void) {
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
