import { Suspense, useEffect, useState } from "react";
import { onProofWanted } from "#client/lib/proof.ts";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";

const ProvingDialog = lazyDialog(() => import("./proving-dialog.tsx"));

type Question = { answer: (isProved: boolean) => void };

/** Asks for the password (and code) before what takes it, wherever on the page it was begun. */
export function ProofDemand() {
  const [question, setQuestion] = useState<Question | null>(null);
  const [wasAsked, setWasAsked] = useState(false);
  useEffect(
    () =>
      onProofWanted(
        () =>
          new Promise((answer) => {
            setWasAsked(true);
            setQuestion({ answer });
          }),
      ),
    [],
  );
  const close = (isProved: boolean) => {
    question?.answer(isProved);
    setQuestion(null);
  };
  return (
    wasAsked && (
      <Suspense>
        <ProvingDialog isOpen={question !== null} onDone={() => close(true)} onCancel={() => close(false)} />
      </Suspense>
    )
  );
}
