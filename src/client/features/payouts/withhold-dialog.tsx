import { OpenDialog } from "#client/ui/feedback/open-dialog.tsx";
import "#client/ui/mantine/fields.css";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import { formatNairaExact } from "#shared/money.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { payeeOf, referenceOf } from "./payout-cells.tsx";
import type { Payout } from "./payouts-search.ts";

type FormProps = { payout: Payout; onClose: () => void };

/** Withholds a payout with a reason, or asks another owner to let a withheld one go. */
export default function WithholdDialog({ payout, onClose }: FormProps) {
  const what = `${formatNairaExact(payout.amountKobo)} for ${payeeOf(payout)}`;
  const isWithheld = payout.withheldReason !== null;
  return (
    <OpenDialog onClose={onClose} title={isWithheld ? `Let ${what} go` : `Withhold ${what}`}>
      {isWithheld ? (
        <LetGoForm payout={payout} onClose={onClose} />
      ) : (
        <WithholdForm payout={payout} onClose={onClose} />
      )}
    </OpenDialog>
  );
}

function WithholdForm({ payout, onClose }: FormProps) {
  const utils = trpc.useUtils();
  const withhold = trpc.payouts.withhold.useMutation({ onSettled: () => utils.payouts.invalidate() });
  return (
    <ReasonForm
      description={`At least ${secondPersonLimits.reasonMin} characters, for the other owners.`}
      submitLabel="Withhold"
      isDangerous
      onSubmit={async (reason) => {
        await withhold.mutateAsync({ payoutId: payout.id, reason });
        toast.success(texts.withheldDone);
        onClose();
      }}
      onCancel={onClose}
    >
      <p>
        No run takes {referenceOf(payout)} until you and another owner let it go. It is still owed, and its promise
        stands. Whoever gets the money reads that you are looking at it.
      </p>
    </ReasonForm>
  );
}

function LetGoForm({ payout, onClose }: FormProps) {
  const ask = useAskSecondPerson();
  return (
    <ReasonForm
      description={`At least ${secondPersonLimits.reasonMin} characters. It stays withheld until another owner confirms.`}
      submitLabel="Send to another owner"
      onSubmit={async (reason) => {
        await ask.mutateAsync({ kind: "let_payout_go", details: { payoutId: payout.id }, reason });
        onClose();
      }}
      onCancel={onClose}
    >
      <p>
        {referenceOf(payout)} is withheld: {payout.withheldReason} Then it may be put into a run again.
      </p>
    </ReasonForm>
  );
}
