import { IconCheck } from "@tabler/icons-react";
import type { ReactNode, Ref } from "react";
import { useSite } from "#client/lib/site.ts";
import { reviewPromise } from "#shared/payments/texts.ts";
import classes from "./back-project-page.module.css";

export type Step = { title: string; isDone?: boolean; content?: ReactNode };

/** Numbered steps, one under the other; a step that is done has a check mark instead of its number. */
export function Steps({ steps, ref }: { steps: readonly Step[]; ref?: Ref<HTMLOListElement> }) {
  return (
    <ol ref={ref} className={classes.steps} tabIndex={ref ? -1 : undefined}>
      {steps.map(({ title, isDone = false, content }, index) => (
        <li key={title} className={classes.step} data-done={isDone || undefined}>
          <span className={classes.number} aria-hidden="true">
            {isDone ? <IconCheck size={20} stroke={2.5} /> : index + 1}
          </span>
          <div className={classes.words}>
            <h2 className={classes.stepTitle}>
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

type Wait = { isWhole: boolean; isRestMissing?: boolean };

/** The last step: we review the receipt. `isWhole` is of a project that is sold as one lot. */
export const waitForReview = (wait: Wait): Step => ({
  title: "Wait for our review",
  content: <WhatHappensNext {...wait} />,
});

function WhatHappensNext({ isWhole, isRestMissing = false }: Wait) {
  return (
    <>
      <p>
        {reviewPromise(useSite())}
        {!isRestMissing && " There is nothing else you need to do."}
      </p>
      <ul className={classes.list}>
        <li>
          Approved: {isWhole ? "the project is yours" : "your lots are yours"}. You find {isWhole ? "it" : "the farm"}{" "}
          under Backed Projects in your profile.
        </li>
        <li>Something is missing: we tell you what, and you can send another receipt.</li>
        <li>
          {isWhole ? "Another backer was first" : "Other backers were first"}: your money will be returned to you. Tell
          us in your profile where to pay it to.
        </li>
      </ul>
    </>
  );
}
