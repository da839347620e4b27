import "#client/ui/mantine/fields.css";
import { ActionIcon, Button } from "@mantine/core";
import { IconFileText, IconUpload, IconX } from "@tabler/icons-react";
import { type DragEvent, useEffect, useId, useRef, useState } from "react";
import { ProgressMeter } from "#client/ui/feedback/progress-meter.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import classes from "./file-drop.module.css";

type FileDropProps = {
  label: string;
  /** The accepted files, in words: "JPEG, PNG, WebP or PDF, up to 10 MB". */
  hint: string;
  /** For the native input: "image/jpeg,image/png,application/pdf". The server checks the content again. */
  accept: string;
  file: File | null;
  onChange: (file: File | null) => void;
  /** "2.4 MB": how a size is written. */
  formatSize: (bytes: number) => string;
  error?: string;
  disabled?: boolean;
  required?: boolean;
};

/** The address of an image's preview, and what to do where the browser can't draw it. */
function usePreview(file: File | null): [address: string | null, giveUp: () => void] {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file?.type.startsWith("image/")) return setAddress(null);
    const url = URL.createObjectURL(file);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return [address, () => setAddress(null)];
}

/**
 * One file by choosing or dropping. Images show a preview, others their name; both their size. Whether a file is fit
 * is decided by whoever holds it: show the reason as `error`.
 */
export function FileDrop(props: FileDropProps) {
  const { label, hint, accept, file, onChange, formatSize, error, disabled = false, required = false } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [preview, dropPreview] = usePreview(file);

  const take = (next: File | null | undefined) => {
    // The same file can be chosen again after it was removed.
    if (input.current) input.current.value = "";
    if (next && !disabled) onChange(next);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files[0]);
  };
  const remove = () => {
    onChange(null);
    input.current?.focus();
  };

  return (
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label}
        {required && (
          <span className={classes.required} aria-hidden="true">
            {" "}
            *
          </span>
        )}
      </label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping adds to the input within, which takes the keyboard. */}
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        data-error={error ? true : undefined}
        data-disabled={disabled || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <input
          ref={input}
          id={id}
          className={classes.input}
          type="file"
          accept={accept}
          disabled={disabled}
          required={required && !file}
          aria-describedby={`${id}-hint${error ? ` ${id}-error` : ""}`}
          aria-invalid={error ? true : undefined}
          onChange={(event) => take(event.currentTarget.files?.[0])}
        />
        {file ? (
          <div className={classes.file}>
            {preview ? (
              <img className={classes.preview} src={preview} alt={`Preview of ${file.name}`} onError={dropPreview} />
            ) : (
              <IconFileText className={classes.icon} size={40} stroke={1.5} aria-hidden="true" />
            )}
            <div className={classes.words}>
              <span className={classes.name}>{file.name}</span>
              <span className={classes.hint}>{formatSize(file.size)}</span>
            </div>
            <ActionIcon
              className={classes.remove}
              variant="default"
              size="lg"
              aria-label={`Remove ${file.name}`}
              disabled={disabled}
              onClick={remove}
            >
              <IconX size={18} />
            </ActionIcon>
          </div>
        ) : (
          <div className={classes.invitation}>
            <IconUpload className={classes.icon} size={28} stroke={1.75} aria-hidden="true" />
            <span>
              <span className={classes.choose}>Choose a file</span> or drop it here
            </span>
          </div>
        )}
      </div>
      <p className={classes.hint} id={`${id}-hint`}>
        {hint}
      </p>
      {error && (
        <p className={classes.error} id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

type FilesDropProps = {
  label: string;
  /** The accepted files, in words: "JPEG, PNG or WebP, up to 10 MB each". */
  hint: string;
  accept: string;
  /** Called with what was chosen or dropped, each time anew. */
  onAdd: (files: File[]) => void;
  disabled?: boolean;
};

/** Several files by choosing or dropping. Whoever takes them shows the list. */
export function FilesDrop({ label, hint, accept, onAdd, disabled = false }: FilesDropProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const take = (files: FileList | null) => {
    const added = [...(files ?? [])];
    // The same files can be chosen again.
    if (input.current) input.current.value = "";
    if (added.length > 0 && !disabled) onAdd(added);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping adds to the input within, which takes the keyboard. */}
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        data-disabled={disabled || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <input
          ref={input}
          id={id}
          className={classes.input}
          type="file"
          multiple
          accept={accept}
          disabled={disabled}
          aria-describedby={`${id}-hint`}
          onChange={(event) => take(event.currentTarget.files)}
        />
        <div className={classes.invitation}>
          <IconUpload className={classes.icon} size={28} stroke={1.75} aria-hidden="true" />
          <span>
            <span className={classes.choose}>Choose files</span> or drop them here
          </span>
        </div>
      </div>
      <p className={classes.hint} id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}

type UploadProgressProps = {
  /** The name of the upload: "your receipt". */
  of: string;
  /** The sent share of the bytes, 0 to 1. */
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
