import "#client/ui/mantine/fields.css";
import "@mantine/core/styles/FloatingIndicator.layer.css";
import "@mantine/core/styles/SegmentedControl.layer.css";
import { Button, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useRef, useState } from "react";
import { errorText, fieldErrors } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { isAltTextLong, mediaTexts } from "#shared/projects/media-texts.ts";
import { AltTextField } from "./alt-text-field.tsx";
import classes from "./manage-media.module.css";

type AddAddressProps = { projectId: number; onAdded: () => void };

/** The state of both forms: the address, its description, and the fault. A failure keeps everything typed. */
function useAddress(failed: string) {
  const [url, setUrl] = useState("");
  const [altText, setAltText] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const altField = useRef<HTMLInputElement>(null);
  return {
    altField,
    /** Returns true if the description is short enough to be sent; otherwise focuses its field. */
    isFit: () => {
      if (isAltTextLong(altText)) altField.current?.focus();
      return !isAltTextLong(altText);
    },
    url,
    altText,
    fault,
    field,
    clear: () => {
      setUrl("");
      setAltText("");
      setFault(null);
    },
    fail: (error: unknown) => {
      setFault(fieldErrors(error).url ?? null);
      toast.error(failed, errorText(error));
      field.current?.focus();
    },
    typeUrl: (text: string) => {
      setUrl(text);
      setFault(null);
    },
    setAltText,
  };
}

const preventing = (send: () => void) => (event: FormEvent) => {
  event.preventDefault();
  send();
};

export function AddYoutube({ projectId, onAdded }: AddAddressProps) {
  const address = useAddress(mediaTexts.youtubeFailed);
  const { url, altText } = address;
  const mutation = trpc.media.addYoutube.useMutation({
    onSuccess: () => {
      toast.success(mediaTexts.youtubeAdded);
      address.clear();
      onAdded();
    },
    onError: address.fail,
  });
  const send = () => {
    if (!mutation.isPending && address.isFit()) mutation.mutate({ projectId, url, altText });
  };
  return (
    <form className={classes.card} aria-label="Add a YouTube video" noValidate onSubmit={preventing(send)}>
      <h2 className={classes.cardTitle}>Add a YouTube video</h2>
      <TextInput
        ref={address.field}
        label="YouTube URL"
        placeholder="https://www.youtube.com/watch?v=…"
        inputMode="url"
        autoComplete="off"
        value={url}
        error={address.fault}
        onChange={({ currentTarget }) => address.typeUrl(currentTarget.value)}
      />
      <AltTextField ref={address.altField} value={altText} onChange={address.setAltText} />
      <Button className={classes.submit} type="submit" loading={mutation.isPending}>
        Add YouTube URL
      </Button>
    </form>
  );
}

const kinds = [
  { value: "url", label: "URL" },
  { value: "embed", label: "Embed Code" },
] as const;
type StreamKind = (typeof kinds)[number]["value"];

export function AddLivestream({ projectId, onAdded }: AddAddressProps) {
  const address = useAddress(mediaTexts.livestreamFailed);
  const [kind, setKind] = useState<StreamKind>("url");
  const { url, altText } = address;
  const mutation = trpc.media.addLivestream.useMutation({
    onSuccess: () => {
      toast.success(mediaTexts.livestreamAdded);
      address.clear();
      onAdded();
    },
    onError: address.fail,
  });
  const send = () => {
    if (mutation.isPending || !address.isFit()) return;
    // Nothing typed is no address at all; code that is missing is invalid code (specification, section 5).
    const marked = kind === "url" && url.trim() === "" ? "" : `[${kind}]${url.trim()}`;
    mutation.mutate({ projectId, url: marked, altText });
  };
  const field = {
    ref: address.field,
    value: url,
    error: address.fault,
    autoComplete: "off",
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => address.typeUrl(currentTarget.value),
  };
  return (
    <form className={classes.card} aria-label="Add a livestream" noValidate onSubmit={preventing(send)}>
      <h2 className={classes.cardTitle}>Add a livestream</h2>
      <SegmentedControl
        aria-label="Kind of livestream"
        data={[...kinds]}
        value={kind}
        fullWidth
        onChange={(next) => setKind(next === "embed" ? "embed" : "url")}
      />
      {kind === "url" ? (
        <TextInput {...field} label="Livestream URL" placeholder="https://…" inputMode="url" />
      ) : (
        <Textarea
          {...field}
          label="Embed Code"
          placeholder="<iframe src=…></iframe>"
          description="From YouTube, Vimeo or Facebook. Only the video is kept of it."
          inputWrapperOrder={["label", "input", "description", "error"]}
          autosize
          minRows={3}
          maxRows={8}
        />
      )}
      <AltTextField ref={address.altField} value={altText} onChange={address.setAltText} />
      <p className={classes.note}>Only the project's backers and administrators can watch it.</p>
      <Button className={classes.submit} type="submit" loading={mutation.isPending}>
        Add Livestream
      </Button>
    </form>
  );
}
