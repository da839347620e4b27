import { Button } from "@mantine/core";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { useCan } from "#client/lib/session/session.ts";
import { useRequests } from "#client/shared-parts/open-requests.ts";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { InlineReason } from "#client/ui/forms/inline-reason.tsx";
import { useInlineForm } from "#client/ui/forms/use-inline-form.ts";
import { formatNairaExact } from "#shared/money.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import classes from "./line.module.css";

type BookLossProps = {
  lineId: number;
  /** A payment that was given back before the bank took its money, or a payout that left after it was declared failed. */
  of: { paymentId: number } | { payoutId: number; isSecond: boolean };
  reference: string;
  amountKobo: bigint;
};

/** Lets an owner ask a second person to book as a loss what is paid twice or can't be got back. */
export function BookLoss({ lineId, of, reference, amountKobo }: BookLossProps) {
  const isPayout = "payoutId" in of;
  const isSecond = isPayout && of.isSecond;
  const what = isSecond ? "It was paid out twice…" : "It left after all…";
  const form = useInlineForm();
  const ask = useAskSecondPerson();
  const mayAsk = useCan("payments:process");
  const isAsked = useRequests("book_loss").has(String(lineId));
  if (!mayAsk) return null;
  if (isAsked) return <StatusBadge tone="waiting">Another owner is asked to book it as a loss</StatusBadge>;
  if (!form.isOpen) {
    return (
      <Button
        ref={form.opener}
        className={classes.act}
        variant="outline"
        color="red"
        size="sm"
        aria-label={isPayout ? `${what} Book ${reference} as a loss` : `Book ${reference} as a loss`}
        onClick={form.open}
      >
        {isPayout ? what : "It was given back already…"}
      </Button>
    );
  }
  return (
    <InlineReason
      label={`Book ${reference} as a loss`}
      description={`At least ${secondPersonLimits.reasonMin} characters. Nothing is booked before another owner confirms.`}
      submitLabel="Send to another owner"
      isDangerous
      onSubmit={async (reason) => {
        const about = isPayout ? { payoutId: of.payoutId } : of;
        const details = { lineId, ...about, amountKobo: amountKobo.toString() };
        await ask.mutateAsync({ kind: "book_loss", details, reason });
        form.close();
      }}
      onCancel={form.close}
    >
      <p>
        {isPayout
          ? `${formatNairaExact(amountKobo)} left our account, and ${isSecond ? "another line shows this payout already" : "another payout has taken the place of this one"}. What the bank gives back later makes the loss good.`
          : `${formatNairaExact(amountKobo)} left our account for good, and the backer has the money back as well.`}
      </p>
    </InlineReason>
  );
}
