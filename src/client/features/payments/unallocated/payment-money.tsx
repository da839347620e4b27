import { useState } from "react";
import { Act } from "#client/features/payments/review/act.tsx";
import { isStruck } from "#client/features/payments/review/bank-state.tsx";
import type { AdminPayment } from "#client/features/payments/review/payments-search.ts";
import { StrikeAct } from "#client/features/payments/strikes/strike-act.tsx";
import { StrikeForm } from "#client/features/payments/strikes/strike-form.tsx";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { InlineReason } from "#client/ui/forms/inline-reason.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { takenBackReasonInput } from "#shared/payments/inputs.ts";
import { paymentLimits, paymentTexts } from "#shared/payments/texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { DeclareArrived } from "./declare-arrived.tsx";

type PaymentMoneyProps = { payment: AdminPayment; onDone: () => void };
type Open =
  | { act: "take_back"; refund: AdminPayment["refunds"][number] }
  | { act: "declare" | "give_back" | "strike" }
  | null;

/** An owner's actions on a payment's money, apart from deciding on it. Nothing where there is nothing to do. */
export function PaymentMoney({
  payment,
  onDone,
  onCancel,
  onChangeHolder,
}: PaymentMoneyProps & { onCancel: () => void; onChangeHolder: () => void }) {
  const [open, setOpen] = useState<Open>(null);
  const { bank, unallocatedKobo, refunds, status } = payment;
  const close = () => {
    setOpen(null);
    onCancel();
  };
  if (open?.act === "take_back") return <TakeBack refund={open.refund} onDone={onDone} onCancel={close} />;
  if (open?.act === "give_back") return <AskToGiveBack payment={payment} onDone={onDone} onCancel={close} />;
  if (open && bank) {
    const { missingKobo } = bank;
    if (open.act === "strike") return <StrikeForm payment={payment} onDone={onDone} onCancel={close} />;
    return <DeclareArrived paymentId={payment.id} missingKobo={missingKobo} onDone={onDone} onCancel={close} />;
  }
  // What was given back is missing again, but it came.
  const mayDeclare = bank && bank.missingKobo > 0n && status !== "approved" && refunds.length === 0;
  return (
    <>
      {refunds.map((refund) => (
        <Act key={refund.id} label="Take back…" onPress={() => setOpen({ act: "take_back", refund })}>
          {formatNaira(refund.amountKobo)} due to the backer since {formatDate(refund.createdAt)}
        </Act>
      ))}
      {unallocatedKobo > 0n &&
        status !== "pending" &&
        (bank?.isUnnamed ? (
          <Act label="Give the money back…" onPress={() => setOpen({ act: "give_back" })}>
            {unallocatedWords(payment)}
          </Act>
        ) : (
          <GiveBack payment={payment} onDone={onDone} />
        ))}
      {bank && bank.strikableKobo > 0n && (
        <StrikeAct paymentId={payment.id} onPress={() => setOpen({ act: "strike" })} />
      )}
      {status === "approved" && !isStruck(payment) && (
        <Act label="Change of holder…" onPress={onChangeHolder}>
          Do the lots pass on: after a death, in the family, or by a court?
        </Act>
      )}
      {mayDeclare && (
        <Act label="Declare as arrived…" onPress={() => setOpen({ act: "declare" })}>
          Did it arrive, though no line shows it?
        </Act>
      )}
    </>
  );
}

const unallocatedWords = ({ unallocatedKobo, status }: AdminPayment): string =>
  `${formatNaira(unallocatedKobo)} ${status === "approved" ? "more arrived than was due" : "arrived, and is kept for the backer"}`;

/** Where no line says whose money it is another owner has to agree. */
function AskToGiveBack({ payment, onDone, onCancel }: PaymentMoneyProps & { onCancel: () => void }) {
  const ask = useAskSecondPerson();
  const title = `Give ${formatNaira(payment.unallocatedKobo)} back?`;
  return (
    <InlineReason
      heading={title}
      description={`How you know whose it is, for the other owner. At least ${secondPersonLimits.reasonMin} characters.`}
      submitLabel="Send to another owner"
      onSubmit={async (reason) => {
        const details = { paymentId: payment.id, seenUnallocatedKobo: String(payment.unallocatedKobo) };
        await ask.mutateAsync({ kind: "give_unallocated_back", details, reason });
        onDone();
      }}
      onCancel={onCancel}
    >
      <p>{paymentTexts.unnamed}</p>
    </InlineReason>
  );
}

/** Gives the backer back the money that has arrived and pays for nothing. */
function GiveBack({ payment, onDone }: PaymentMoneyProps) {
  const utils = trpc.useUtils();
  const [isAsking, setIsAsking] = useState(false);
  const give = trpc.payments.giveUnallocatedBack.useMutation({
    onSuccess: () => toast.success(paymentTexts.givenBack),
    onError: (error) => toast.error(paymentTexts.giveBackFailed, errorText(error)),
    onSettled: async () => {
      setIsAsking(false);
      await utils.payments.list.invalidate();
      onDone();
    },
  });
  const amount = formatNaira(payment.unallocatedKobo);
  return (
    <>
      <Act label="Give the money back…" onPress={() => setIsAsking(true)}>
        {unallocatedWords(payment)}
      </Act>
      <LazyConfirmDialog
        opened={isAsking}
        title={`Give ${amount} back?`}
        confirmLabel="Give the money back"
        isPending={give.isPending}
        onConfirm={() => give.mutate({ paymentId: payment.id, seenUnallocatedKobo: payment.unallocatedKobo })}
        onClose={() => setIsAsking(false)}
      >
        A refund is due to the backer then, and they are emailed.
      </LazyConfirmDialog>
    </>
  );
}

type TakeBackProps = { refund: AdminPayment["refunds"][number]; onDone: () => void; onCancel: () => void };

function TakeBack({ refund, onDone, onCancel }: TakeBackProps) {
  const utils = trpc.useUtils();
  const takeBack = trpc.payments.takeRefundBack.useMutation({ onSettled: () => utils.payments.list.invalidate() });
  const title = `Take the refund of ${formatNaira(refund.amountKobo)} back?`;
  return (
    <InlineReason
      heading={title}
      description="The backer reads it."
      submitLabel="Take the refund back"
      isDangerous
      schema={takenBackReasonInput}
      maxLength={paymentLimits.reasonLength}
      onSubmit={async (reason) => {
        await takeBack.mutateAsync({ refundId: refund.id, reason });
        toast.success(paymentTexts.refundTakenBack);
        onDone();
      }}
      onCancel={onCancel}
    >
      <p>
        It is not due any more.{" "}
        {refund.reason === "surplus"
          ? "The money pays for what is missing of the payment, and the rest is kept for the backer."
          : "The money is kept for the backer again."}
      </p>
    </InlineReason>
  );
}
