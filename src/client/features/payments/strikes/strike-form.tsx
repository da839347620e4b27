import type { AdminPayment } from "#client/features/payments/review/payments-search.ts";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { RequestError } from "#client/lib/errors.ts";
import { EvidenceField, useEvidence } from "#client/shared-parts/evidence.tsx";
import { InlineReason } from "#client/ui/forms/inline-reason.tsx";
import { formatNaira } from "#shared/money.ts";
import { strikeTexts } from "#shared/payments/strikes-texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";

type StrikeFormProps = { payment: AdminPayment; onDone: () => void; onCancel: () => void };

/** Asks another owner to strike a payment whose approval can't be taken back any more. */
export function StrikeForm({ payment, onDone, onCancel }: StrikeFormProps) {
  const ask = useAskSecondPerson();
  const evidence = useEvidence("/uploads/payment-evidence");
  const lostKobo = payment.bank?.strikableKobo ?? 0n;
  const send = async (reason: string) => {
    const missing = evidence.check();
    if (missing !== null) throw new RequestError("invalid", missing);
    await evidence.send((fileId) =>
      ask.mutateAsync({
        kind: "strike_payment",
        details: { paymentId: payment.id, lostKobo: String(lostKobo), fileIds: [fileId] },
        reason,
      }),
    );
    onDone();
  };
  return (
    <InlineReason
      heading="Strike this payment?"
      description={`How you know, for the other owner and the backer. At least ${secondPersonLimits.reasonMin} characters.`}
      submitLabel="Send to another owner"
      isDangerous
      onSubmit={send}
      onCancel={onCancel}
    >
      <p>
        {formatNaira(lostKobo)} is lost, and the company bears it. {strikeTexts.effects[0]}
      </p>
      <p>The other owner reads what it changes in figures. {strikeTexts.effects[2]}</p>
      <EvidenceField label="What shows it: the bank's letter, or a page of its statement" evidence={evidence} />
    </InlineReason>
  );
}
