import { Button } from "@mantine/core";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import type { Kobo } from "#shared/money.ts";
import { arrivalOf, arrivalTexts } from "#shared/payments/texts.ts";
import { useRefreshPaymentPage } from "./use-payment-page.ts";

type Arriving = {
  id: number;
  lots: number;
  amountKobo: Kobo;
  arrivedKobo: Kobo;
  /** Until when the rest should come. */
  restBy: Date | null;
};

/** True if only a part of a payment has arrived. */
export const isPart = (payment: Pick<Arriving, "lots" | "amountKobo" | "arrivedKobo">): boolean =>
  arrivalOf(payment).kind === "part";

/** Shows how much of a payment under review the bank shows, if it is a part or too much. */
export function Arrival({ payment, projectId }: { payment: Arriving; projectId: number }) {
  const arrival = arrivalOf(payment);
  if (arrival.kind === "surplus") return <Notice tone="waiting" title={arrivalTexts.surplus(arrival.surplusKobo)} />;
  if (arrival.kind !== "part") return null;
  const { arrivedKobo, amountKobo, lots, restBy } = payment;
  const isLate = restBy !== null && restBy < new Date();
  return (
    <Notice tone="caution" title={arrivalTexts.part(arrivedKobo, amountKobo)}>
      {restBy && <p>{isLate ? arrivalTexts.restOverdue(restBy) : arrivalTexts.rest(restBy)}</p>}
      {arrival.wholeLots >= 1 && arrival.wholeLots < lots && (
        <Reduction payment={payment} projectId={projectId} lots={arrival.wholeLots} />
      )}
    </Notice>
  );
}

type ReductionProps = { payment: Arriving; projectId: number; lots: number };

/** For who can't or won't send the rest: one press, and the payment is for the lots that are paid. */
function Reduction({ payment, projectId, lots }: ReductionProps) {
  const { refresh } = useRefreshPaymentPage(projectId);
  const reduce = trpc.payments.reduceToArrived.useMutation({
    onSuccess: () => toast.success(arrivalTexts.reduced),
    onError: (error) => toast.error(errorText(error)),
    onSettled: refresh,
  });
  const amountKobo = (payment.amountKobo / BigInt(payment.lots)) * BigInt(lots);
  return (
    <>
      <p>{arrivalTexts.reduceHint(lots, amountKobo)}</p>
      <ButtonRow>
        <Button
          variant="default"
          size="sm"
          loading={reduce.isPending}
          onClick={() => reduce.mutate({ paymentId: payment.id, lots })}
        >
          {arrivalTexts.reduce(lots)}
        </Button>
      </ButtonRow>
    </>
  );
}
