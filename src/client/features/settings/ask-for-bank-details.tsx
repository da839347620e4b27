import type { ReactNode } from "react";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import type { RouterInputs } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import { secondPersonLimits } from "#shared/second-person/texts.ts";

type Request = Extract<RouterInputs["secondPerson"]["ask"], { kind: "change_bank_details" }>;
type AskForBankDetailsProps = { details: Request["details"]; onClose: () => void; children: ReactNode };

/** Asks another owner to confirm where backers pay to from then on. */
export function AskForBankDetails({ details, onClose, children }: AskForBankDetailsProps) {
  const ask = useAskSecondPerson();
  return (
    <ReasonForm
      description={`Why backers are to pay there. At least ${secondPersonLimits.reasonMin} characters.`}
      submitLabel="Send to another owner"
      onSubmit={async (reason) => {
        await ask.mutateAsync({ kind: "change_bank_details", details, reason });
        onClose();
      }}
      onCancel={onClose}
    >
      {children}
      <Notice tone="caution" title="Another owner confirms it, on the dashboard.">
        <p>
          Until then backers transfer to the account that they read now. Every owner gets an email about the change.
        </p>
      </Notice>
    </ReasonForm>
  );
}
