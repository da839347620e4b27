import "#client/ui/mantine/fields.css";
import { Button, Checkbox } from "@mantine/core";
import { useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Clauses } from "#client/ui/layout/clauses.tsx";
import { holdTexts } from "#shared/projects/holds-texts.ts";
import { lotProduceText } from "#shared/projects/lot-produce.ts";
import { termsTexts } from "#shared/projects/terms-texts.ts";
import classes from "./back-project-page.module.css";
import { type PaymentPage, useRefreshPaymentPage } from "./use-payment-page.ts";

/** The harvest terms and the tick that shows the bank details. */
export function AgreeToTerms({ page, lots }: { page: PaymentPage; lots: number }) {
  const { project, terms, round } = page;
  const produce = lotProduceText(terms.plan, { lots, roundLots: round.lots });
  const { refresh } = useRefreshPaymentPage(project.id);
  const [hasRead, setHasRead] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const tick = useRef<HTMLInputElement>(null);
  const begin = trpc.payments.begin.useMutation({
    onError: (error) => toast.error(errorText(error)),
    onSettled: refresh,
  });
  const go = () => {
    setIsMissing(!hasRead);
    if (!hasRead) return tick.current?.focus();
    begin.mutate({ projectId: project.id, lots, termsVersion: terms.version, hasReadTerms: true });
  };
  return (
    <form
      className={classes.terms}
      noValidate
      aria-labelledby="harvest-terms"
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <h2 id="harvest-terms" className={classes.stepTitle}>
        Harvest terms
      </h2>
      {produce && <p>{produce}</p>}
      <Clauses clauses={terms.clauses} />
      <p>{termsTexts.afterwards}</p>
      <Checkbox
        ref={tick}
        label={termsTexts.tick}
        checked={hasRead}
        error={isMissing && !hasRead ? termsTexts.tickMissing : undefined}
        onChange={({ currentTarget }) => setHasRead(currentTarget.checked)}
      />
      {begin.isError && (
        <Notice tone="negative" title={errorText(begin.error)} isAlert>
          <p>Nothing was kept yet. Please look at the terms again and press once more.</p>
        </Notice>
      )}
      <Button
        type="submit"
        size="lg"
        className={classes.hold}
        classNames={{ label: classes.holdWords }}
        loading={begin.isPending}
      >
        {page.hold && page.hold.hours > 0
          ? holdTexts.hold(lots, page.hold.hours, round.lotPriceKobo * BigInt(lots))
          : "Show the bank details"}
      </Button>
    </form>
  );
}
