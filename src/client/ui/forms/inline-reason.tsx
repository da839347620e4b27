import { useEffect, useRef } from "react";
import classes from "./reason-form.module.css";
import { ReasonForm, type ReasonFormProps } from "./reason-form.tsx";

/**
 * Asks for a reason in the place of the button that was pressed: all of it comes into view, and the keyboard goes on in its
 * first empty field.
 */
export function InlineReason(props: ReasonFormProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
    const fields = place.current?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea") ?? [];
    [...fields].find(({ value }) => value === "")?.focus();
  }, []);
  return (
    <div ref={place} className={classes.inline}>
      <ReasonForm {...props} />
    </div>
  );
}
