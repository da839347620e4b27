import { useEffect, useRef } from "react";
import { ReasonForm, type ReasonFormProps } from "#client/ui/forms/reason-form.tsx";

/** Asks for a reason in the place of the button that was pressed: the keyboard goes on in it. */
export function InlineReason(props: ReasonFormProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector("textarea")?.focus(), []);
  return (
    <div ref={place}>
      <ReasonForm {...props} />
    </div>
  );
}
