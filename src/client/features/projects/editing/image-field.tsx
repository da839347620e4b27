import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import { IconPhotoOff } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { formatBytes } from "#client/lib/format.ts";
import { checkFile, isCancelled, uploadFile } from "#client/lib/upload.ts";
import { ProgressMeter } from "#client/ui/feedback/progress-meter.tsx";
import { FileDrop } from "#client/ui/forms/file-drop.tsx";
import { Picture } from "#client/ui/media/picture.tsx";
import { fileRules } from "#shared/files.ts";
import { isShownAddress } from "#shared/shown-address.ts";
import type { ProjectFormState } from "./form-values.ts";
import classes from "./project-form.module.css";

type ImageFieldProps = { form: ProjectFormState; onUploading: (isUploading: boolean) => void };

/** The main image: uploaded, or by its address, as the project's card will show it. */
export function ImageField({ form, onUploading }: ImageFieldProps) {
  const upload = useImageUpload((url) => form.setFieldValue("imageUrl", url));
  const { isSending } = upload;
  const tell = useEffectEvent(onUploading);
  useEffect(() => {
    tell(isSending);
    return () => tell(false);
  }, [isSending]);
  const percent = Math.round(upload.share * 100);
  const { imageUrl } = form.values;
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>Main Image</legend>
      <p className={classes.hint}>Recommended size 1200x800. It is shown 16:10, on phones across the whole screen.</p>
      <div className={classes.image}>
        <Preview key={imageUrl} url={form.errors.imageUrl || !isShownAddress(imageUrl) ? "" : imageUrl} />
        <div className={classes.fields}>
          <FileDrop
            label="Upload an image"
            hint="JPEG, PNG or WebP, up to 10 MB"
            accept={fileRules.photo.accept}
            file={upload.file}
            onChange={upload.choose}
            formatSize={formatBytes}
            error={upload.fault ?? undefined}
            disabled={isSending}
          />
          {isSending && (
            <div className={classes.sending}>
              <span role="status">{upload.share < 1 ? `Uploading, ${percent}%` : "Preparing the image…"}</span>
              <ProgressMeter percent={percent} label="Upload of the image" valueText={`${percent}%`} />
              <Button variant="default" size="sm" onClick={upload.cancel}>
                Cancel upload
              </Button>
            </div>
          )}
          {upload.retry && !isSending && (
            <Button variant="default" size="sm" onClick={upload.retry}>
              Try the upload again
            </Button>
          )}
          <TextInput
            label="Image URL"
            description="Filled in by an upload, or an address that begins with https://"
            inputMode="url"
            autoComplete="off"
            withAsterisk
            {...form.getInputProps("imageUrl")}
          />
          <TextInput
            label="What the image shows"
            description="For people who can't see it: a few words"
            {...form.getInputProps("imageAlt")}
          />
        </div>
      </div>
    </fieldset>
  );
}

function Preview({ url }: { url: string }) {
  const [hasFailed, setHasFailed] = useState(false);
  if (url === "" || hasFailed) {
    return (
      <div className={classes.noPicture}>
        <IconPhotoOff size={32} stroke={1.5} aria-hidden="true" />
        <span>{url === "" ? "No image yet" : "No image could be loaded from this address."}</span>
      </div>
    );
  }
  return (
    <Picture
      className={classes.picture}
      src={url}
      sizes="(min-width: 58em) 27rem, (min-width: 48em) calc(50vw - 2rem), calc(100vw - 2rem)"
      urgency="eager"
      alt="Preview, as on the project's card"
      width={1200}
      height={750}
      onError={() => setHasFailed(true)}
    />
  );
}

/** Sends a main image as soon as it is chosen, and gives its address. */
function useImageUpload(onUploaded: (url: string) => void) {
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
    /** The sent share of the bytes, 0 to 1. At 1 the server has the file and draws its sizes. */
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
