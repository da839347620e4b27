import { type KeyboardEvent, useEffect, useRef } from "react";
import { ownEscape } from "#client/ui/feedback/own-escape.ts";
import classes from "./reason-form.module.css";
import { ReasonForm, type ReasonFormProps } from "./reason-form.tsx";

/**
 * Asks for a reason in the place of the button that was pressed: all of it comes into view, and the keyboard goes on in its
 * first empty field or box, or where all are filled in the first. Escape closes it, and not the drawer around it.
 */
export function InlineReason({ heading, ...props }: ReasonFormProps & { heading?: string }) {
  const { onSubmit, onCancel } = props;
  const place = useRef<HTMLDivElement>(null);
  const isSending = useRef(false);
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
    const fields = [
      ...(place.current?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea") ?? []),
    ];
    (fields.find(({ value, type }) => value === "" || type === "checkbox") ?? fields[0])?.focus();
  }, []);
  const { onFocusCapture, onKeyDown } = ownEscape(() => {
    if (!isSending.current) onCancel();
  });
  const send = async (reason: string) => {
    isSending.current = true;
    try {
      await onSubmit(reason);
    } finally {
      isSending.current = false;
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of its fields.
    <div
      ref={place}
      className={classes.inline}
      onFocusCapture={onFocusCapture}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Escape") event.stopPropagation();
        onKeyDown(event);
      }}
    >
      {heading && <h3 className={classes.heading}>{heading}</h3>}
      <ReasonForm {...(heading && { label: heading })} {...props} onSubmit={send} />
    </div>
  );
}
