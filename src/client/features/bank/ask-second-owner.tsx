import { Button } from "@mantine/core";
import { useState } from "react";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { errorDetail, errorText } from "#client/lib/errors.ts";
import { useCan } from "#client/lib/session/session.ts";
import type { RouterInputs } from "#client/lib/trpc.ts";
import { InlineReason } from "#client/ui/forms/inline-reason.tsx";
import { secondPersonLimits } from "#shared/second-person/texts.ts";

type Asked = Extract<RouterInputs["secondPerson"]["ask"], { kind: "match_line" | "undo_match" }>;
type WithoutReason<One> = One extends unknown ? Omit<One, "reason"> : never;
type Question = {
  /** The reason why one owner can't do it alone, in the server's words. */
  why: string;
  about: WithoutReason<Asked>;
  /** The reason, where one was typed already. */
  reason: string;
};

/** Runs an act on a line. If the server answers that it takes two, keeps the request, to be sent to another owner. */
export function useAloneOrAsk() {
  const [question, setQuestion] = useState<Question | null>(null);
  return {
    question,
    forget: () => setQuestion(null),
    /** A refusal is thrown, unless it only asks for a second person. */
    act: async (doIt: () => Promise<unknown>, about: Question["about"], reason = ""): Promise<void> => {
      try {
        await doIt();
      } catch (error) {
        if (errorDetail(error, "needs") !== "second_person") throw error;
        setQuestion({ why: errorText(error), about, reason });
      }
    },
  };
}

type AskSecondOwnerProps = { question: Question; onDone: () => void };

/**
 * Asks another owner, with a reason, to confirm what takes two people, in the place where it was tried. Anybody who is
 * no owner is told to leave it to one.
 */
export function AskSecondOwner({ question: { why, about, reason: typed }, onDone }: AskSecondOwnerProps) {
  const ask = useAskSecondPerson();
  if (!useCan("payments:process")) {
    return (
      <div role="status">
        <p>{why}</p>
        <p>An owner has to do it: tell one of them.</p>
        <Button variant="default" size="sm" onClick={onDone}>
          Back
        </Button>
      </div>
    );
  }
  return (
    <InlineReason
      label="Send to another owner"
      description={`At least ${secondPersonLimits.reasonMin} characters. Nothing changes before another owner confirms.`}
      submitLabel="Send to another owner"
      initial={typed}
      onSubmit={async (reason) => {
        await ask.mutateAsync({ ...about, reason });
        onDone();
      }}
      onCancel={onDone}
    >
      <p role="status">{why}</p>
    </InlineReason>
  );
}
