import { useEffect, useId, useRef } from "react";
import classes from "./error-summary.module.css";

type ErrorSummaryProps = {
  /** The fault that belongs to no field, and what was kept. */
  problem?: { title: string; text: string } | null;
  /** The fields' errors in the order of the form. */
  faults: readonly { field: string; text: string }[];
  onPick: (field: string) => void;
};

/**
 * The faults that keep a form from being sent, above its fields. It takes the keyboard when it appears, and leads to
 * each field. Give it a new key for each failed attempt.
 */
export function ErrorSummary({ problem, faults, onPick }: ErrorSummaryProps) {
  const titleId = useId();
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  if (!problem && faults.length === 0) return null;
  return (
    <section ref={box} className={classes.box} aria-labelledby={titleId} tabIndex={-1}>
      <h2 className={classes.title} id={titleId}>
        {problem?.title ?? "There is a problem"}
      </h2>
      {problem && <p className={classes.text}>{problem.text}</p>}
      {faults.length > 0 && (
        <ul className={classes.list}>
          {faults.map(({ field, text }) => (
            <li key={field}>
              <button className={classes.link} type="button" onClick={() => onPick(field)}>
                {text}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
