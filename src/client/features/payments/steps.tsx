import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./steps.module.css";

export type Step = { title: string; isDone?: boolean; content?: ReactNode };

/** A numbered way through something, one under the other; what is done has a check mark instead of its number. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={classes.steps}>
      {steps.map(({ title, isDone = false, content }, index) => (
        <li key={title} className={classes.step} data-done={isDone || undefined}>
          <span className={classes.number} aria-hidden="true">
            {isDone ? <IconCheck size={20} stroke={2.5} /> : index + 1}
          </span>
          <div className={classes.words}>
            <h2 className={classes.title}>
              <span className="visually-hidden">
                Step {index + 1}
                {isDone ? ", done" : ""}:{" "}
              </span>
              {title}
            </h2>
            {content}
          </div>
        </li>
      ))}
    </ol>
  );
}
