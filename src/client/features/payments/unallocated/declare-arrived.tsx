import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import "#client/ui/mantine/fields.css";
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { InlineReason } from "#client/ui/forms/inline-reason.tsx";
import { formatNaira, type Kobo, koboToNairaText, parseNaira } from "#shared/money.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { declareArrivedTexts, secondPersonLimits } from "#shared/second-person/texts.ts";

type DeclareArrivedProps = {
  paymentId: number;
  missingKobo: Kobo;
  /** True if the field begins with the whole missing amount, because the backer says they paid it. */
  isAllTyped?: boolean;
  onDone: () => void;
  onCancel: () => void;
};

/** Asks another owner to confirm that money of a payment arrived, which no line of a statement shows. */
export function DeclareArrived(props: DeclareArrivedProps) {
  const { paymentId, missingKobo, isAllTyped = false, onDone, onCancel } = props;
  const ask = useAskSecondPerson();
  const [typed, setTyped] = useState(isAllTyped ? koboToNairaText(missingKobo) : "");
  const [fault, setFault] = useState<string>();
  return (
    <InlineReason
      heading="Declare money as arrived"
      description={`The other owner reads it. At least ${secondPersonLimits.reasonMin} characters.`}
      submitLabel="Send to another owner"
      onSubmit={async (reason) => {
        const read = readDeclared(typed, missingKobo);
        setFault(read.fault);
        if (read.kobo === undefined) return;
        const details = { paymentId, amountKobo: String(read.kobo) };
        await ask.mutateAsync({ kind: "declare_arrived", details, reason });
        onDone();
      }}
      onCancel={onCancel}
    >
      <p>
        {declareArrivedTexts.withoutLine} At most the missing {formatNaira(missingKobo)}.
      </p>
      <TextInput
        label="Arrived at the bank"
        leftSection="₦"
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        error={fault}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </InlineReason>
  );
}

function readDeclared(typed: string, missingKobo: Kobo): { kobo?: Kobo; fault?: string } {
  const kobo = parseNaira(typed);
  if (kobo === null || kobo === 0n) return { fault: paymentTexts.amountUnreadable };
  return kobo > missingKobo ? { fault: declareArrivedTexts.tooMuch(formatNaira(missingKobo)) } : { kobo };
}
