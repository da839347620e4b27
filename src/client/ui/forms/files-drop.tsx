import { IconUpload } from "@tabler/icons-react";
import { type DragEvent, useId, useRef, useState } from "react";
import classes from "./file-drop.module.css";

type FilesDropProps = {
  label: string;
  /** What is taken, in words: "JPEG, PNG or WebP, up to 10 MB each". */
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
