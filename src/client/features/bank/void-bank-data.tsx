import { Button } from "@mantine/core";
import { useState } from "react";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { OpenDialog } from "#client/ui/feedback/open-dialog.tsx";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import { voidTexts } from "#shared/bank/void-texts.ts";
import type { VoidBankDataDetails } from "#shared/bank/voids.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";

type VoidBankDataProps = {
  details: VoidBankDataDetails;
  /** The dialog's description of what will be void. */
  title: string;
  label: string;
};

/** Asks another owner to void bank data that was wrong. */
export function VoidBankData({ details, title, label }: VoidBankDataProps) {
  const [isAsking, setIsAsking] = useState(false);
  const ask = useAskSecondPerson();
  const close = () => setIsAsking(false);
  return (
    <>
      <Button variant="default" size="sm" aria-label={label} onClick={() => setIsAsking(true)}>
        Void…
      </Button>
      {isAsking && (
        <OpenDialog onClose={close} title={title}>
          <ReasonForm
            description={`What was wrong, for the other owner. At least ${secondPersonLimits.reasonMin} characters.`}
            submitLabel="Send to another owner"
            isDangerous
            onSubmit={async (reason) => {
              await ask.mutateAsync({ kind: "void_bank_data", details, reason });
              close();
            }}
            onCancel={close}
          >
            <p>{voidTexts.meaning[details.what]}</p>
          </ReasonForm>
        </OpenDialog>
      )}
    </>
  );
}
