import { Suspense, useEffect, useState } from "react";
import { lazyOr } from "#client/lib/lazy-or.ts";
import { onProofWanted } from "#client/lib/proof.ts";
import { toast } from "#client/lib/toast.ts";
import type { ProvingDialogProps } from "./proving-dialog.tsx";

/** Where the dialog can't be fetched, what was begun is cancelled, and can be begun again. */
function ProvingToast({ isOpen, onCancel }: ProvingDialogProps) {
  useEffect(() => {
    if (!isOpen) return;
    toast.error("Your password could not be asked for", "Please check your internet connection, then reload the page.");
    onCancel();
  }, [isOpen, onCancel]);
  return null;
}

const ProvingDialog = lazyOr(() => import("./proving-dialog.tsx"), ProvingToast);

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
