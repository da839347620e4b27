import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import "#client/ui/mantine/fields.css";
import { Checkbox, Textarea } from "@mantine/core";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { formatNaira } from "#shared/money.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { isKeptSurplus, paymentLimits, paymentTexts } from "#shared/payments/texts.ts";
import { reasonInput } from "#shared/second-person/reason.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { partOf, type SeenInBank } from "./bank-state.tsx";
import type { UnseenLimit } from "./payments-search.ts";

/** The reason and the write-off that the viewer enters for an approval. */
export type ApprovalWords = { reason: string; isWrittenOff: boolean };

/** True if the approval is only asked for, because another owner has to confirm it. */
export const takesSecondPerson = (bank: SeenInBank | null, { isWrittenOff }: ApprovalWords): boolean =>
  bank !== null && (bank.need === "second_person" || (isWrittenOff && bank.need !== "nothing"));

const takesReason = (bank: SeenInBank | null): bank is SeenInBank => bank !== null && bank.need !== "nothing";

/** Returns the fault of an approval's reason; nothing where none is needed. */
export function reasonFault(bank: SeenInBank | null, words: ApprovalWords): string | undefined {
  if (!takesReason(bank)) return undefined;
  if (takesSecondPerson(bank, words)) {
    const read = reasonInput.safeParse({ reason: words.reason });
    return read.success ? undefined : read.error.issues[0]?.message;
  }
  const { length } = words.reason.trim();
  if (length === 0) return paymentTexts.reasonMissing;
  return length > paymentLimits.reasonLength ? paymentTexts.reasonTooLong : undefined;
}

type WriteOffFieldProps = { bank: SeenInBank; words: ApprovalWords; onChange: (words: ApprovalWords) => void };
type ApprovalFieldsProps = WriteOffFieldProps & { unseenLimit: UnseenLimit; fault: string | undefined };

/** Shows the bank's state of a payment that is about to be approved, and what the approval takes because of it. */
export function ApprovalFields({ bank, unseenLimit, words, fault, onChange }: ApprovalFieldsProps) {
  const { missingKobo, smallRestKobo, surplusKobo, arrivedKobo, isUnnamed } = bank;
  if (!takesReason(bank)) {
    return (
      <Notice tone="positive" title={`In the bank: ${partOf(bank)}`}>
        {smallRestKobo > 0n && <p>The missing {formatNaira(smallRestKobo)} are written off as bank charges.</p>}
        {surplusKobo > 0n && (
          <p>
            {formatNaira(surplusKobo)} more arrived than was due.{" "}
            {isKeptSurplus(surplusKobo)
              ? "So little isn't sent back: the company keeps it, and the backer is told."
              : isUnnamed
                ? "They stay held, because the bank's line doesn't say whose they are."
                : "They become a refund due, and the backer is told."}
          </p>
        )}
      </Notice>
    );
  }
  const isAsked = takesSecondPerson(bank, words);
  return (
    <>
      <Notice tone="caution" title={arrivedKobo === 0n ? "Not seen in the bank yet" : `In the bank: ${partOf(bank)}`}>
        {isAsked ? (
          <p>Nothing happens before another owner confirms it.</p>
        ) : (
          <p>The missing {formatNaira(missingKobo)} stay in transit until the bank shows them.</p>
        )}
        {unseenLimit && <p>{paymentTexts.unseenUsed(unseenLimit)}</p>}
      </Notice>
      {mayWriteOff(bank) && (
        <WriteOffRest description="A second person has to confirm it." bank={bank} words={words} onChange={onChange} />
      )}
      <Textarea
        label="Why do you approve it?"
        description={
          isAsked
            ? `The other owner reads it. At least ${secondPersonLimits.reasonMin} characters.`
            : "Kept in the audit log."
        }
        autosize
        minRows={2}
        maxRows={6}
        maxLength={paymentLimits.reasonLength}
        error={fault}
        value={words.reason}
        onChange={({ currentTarget }) => onChange({ ...words, reason: currentTarget.value })}
        data-autofocus
      />
    </>
  );
}

/** True if a rest is missing that may be written off. */
export const mayWriteOff = (bank: SeenInBank | null): bank is SeenInBank => takesReason(bank) && bank.arrivedKobo > 0n;

type WriteOffRestProps = WriteOffFieldProps & { description: string };

export function WriteOffRest({ bank, words, description, onChange }: WriteOffRestProps) {
  return (
    <Checkbox
      label={`Write the missing ${formatNaira(bank.missingKobo)} off as bank charges`}
      description={description}
      checked={words.isWrittenOff}
      onChange={({ currentTarget }) => onChange({ ...words, isWrittenOff: currentTarget.checked })}
    />
  );
}

type SeenPayment = { paymentId: number; seenStatus: PaymentStatus; seenReceiptSha256: string | null };

/** Asks another owner to confirm an approval. */
export function useAskApproval() {
  const ask = useAskSecondPerson();
  return {
    isPending: ask.isPending,
    askApproval: (seen: SeenPayment, bank: SeenInBank, { reason, isWrittenOff }: ApprovalWords) =>
      ask.mutateAsync({
        kind: "approve_payment",
        details: {
          ...seen,
          missingKobo: String(bank.missingKobo),
          writtenOffKobo: String(isWrittenOff ? bank.missingKobo : 0n),
        },
        reason,
      }),
  };
}
