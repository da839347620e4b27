import { useEffect, useRef } from "react";
import classes from "./reason-form.module.css";
import { ReasonForm, type ReasonFormProps } from "./reason-form.tsx";

/**
 * Asks for a reason in the place of the button that was pressed: all of it comes into view, and the keyboard goes on in its
 * first empty field or box.
 */
export function InlineReason({ heading, ...props }: ReasonFormProps & { heading?: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
    const fields = place.current?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea") ?? [];
    [...fields].find(({ value, type }) => value === "" || type === "checkbox")?.focus();
  }, []);
  return (
    <div ref={place} className={classes.inline}>
      {heading && <h3 className={classes.heading}>{heading}</h3>}
      <ReasonForm {...(heading && { label: heading })} {...props} />
    </div>
  );
}
