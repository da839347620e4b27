import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { checkFile } from "#client/lib/check-file.ts";
import { errorText } from "#client/lib/errors.ts";
import { isCancelled, uploadFile } from "#client/lib/upload.ts";

/** Sends a main image as soon as it is chosen, and gives its address. */
export function useImageUpload(onUploaded: (url: string) => void) {
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [share, setShare] = useState(0);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const mutation = useMutation({
    mutationFn: (chosen: File) => {
      const controller = new AbortController();
      running.current = controller;
      setShare(0);
      return uploadFile("/uploads/project-image", chosen, {}, { signal: controller.signal, onProgress: setShare });
    },
    onSuccess: ({ url }) => {
      setFile(null);
      if (typeof url === "string") onUploaded(url);
    },
    onError: (error) => setFault(isCancelled(error) ? null : errorText(error)),
  });
  const send = (chosen: File) => {
    const found = checkFile("photo", chosen);
    setFault(found);
    if (!found) mutation.mutate(chosen);
  };
  return {
    file,
    fault,
    /** Of the bytes, 0 to 1. At 1 the server has the file and draws its sizes. */
    share,
    isSending: mutation.isPending,
    choose: (chosen: File | null) => {
      running.current?.abort();
      setFile(chosen);
      if (chosen) send(chosen);
      else setFault(null);
    },
    /** Only after a failure: the file is still chosen. */
    retry: file && fault && !checkFile("photo", file) ? () => send(file) : null,
    cancel: () => {
      running.current?.abort();
      setFile(null);
    },
  };
}
