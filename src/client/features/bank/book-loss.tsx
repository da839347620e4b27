import { Button } from "@mantine/core";
import { useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { formatNairaExact } from "#shared/money.ts";
import { reasonInput } from "#shared/second-person.ts";
import { secondPersonLimits, secondPersonTexts as texts } from "#shared/second-person-texts.ts";
import classes from "./bank.module.css";
import { InlineReason } from "./inline-reason.tsx";

type BookLossProps = { lineId: number; payment: { id: number; reference: string }; amountKobo: bigint };

/** Where the bank took money back that was given back before: a second person is asked to book it as a loss. */
export function BookLoss({ lineId, payment, amountKobo }: BookLossProps) {
  const utils = trpc.useUtils();
  const [isAsking, setIsAsking] = useState(false);
  const ask = trpc.secondPerson.ask.useMutation({ onSettled: () => utils.secondPerson.list.invalidate() });
  if (!isAsking) {
    return (
      <Button
        className={classes.act}
        variant="outline"
        color="red"
        size="sm"
        aria-label={`Book ${payment.reference} as a loss`}
        onClick={() => setIsAsking(true)}
      >
        It was given back already…
      </Button>
    );
  }
  return (
    <InlineReason
      label={`Book ${payment.reference} as a loss`}
      description={`At least ${secondPersonLimits.reasonMin} characters. Nothing is booked before another owner confirms.`}
      submitLabel="Ask for a second person"
      isDangerous
      schema={reasonInput}
      maxLength={secondPersonLimits.reasonMax}
      onSubmit={async (reason) => {
        const details = { lineId, paymentId: payment.id, amountKobo: amountKobo.toString() };
        await ask.mutateAsync({ kind: "book_loss", details, reason });
        toast.success(texts.asked);
        setIsAsking(false);
      }}
      onCancel={() => setIsAsking(false)}
    >
      <p>{formatNairaExact(amountKobo)} left our account for good, and the backer has the money back as well.</p>
    </InlineReason>
  );
}
