import { useEffect, useRef } from "react";
import classes from "./holder-changes.module.css";

/** A note in the place of the card that went with its action: the keyboard goes on here. */
export function DoneNote({ text }: { text: string }) {
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => note.current?.focus(), []);
  return (
    <p ref={note} className={classes.card} role="status" tabIndex={-1}>
      {text}
    </p>
  );
}
